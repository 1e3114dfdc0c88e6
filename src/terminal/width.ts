/** Measures, truncates and wraps text by its width in terminal columns. */

import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { asSafeAs } from '../io/safe-text.ts'
import { wrapLine } from './wrap-line.ts'

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  return stringWidth(text)
}

/** The column after a text that starts at a column and that the terminal wraps; `columns` after a full row. */
export function columnAfter(text: string, start: number, columns: number): number {
  let column = start
  for (const { segment } of characters.segment(text)) {
    const width = widthOf(segment)
    column = column + width > columns ? width : column + width
  }
  return column
}

/**
 * Printable ASCII, escape sequences, the vertical border, letters of Latin, Greek and Cyrillic, common punctuation, and
 * characters of Chinese, Japanese and Korean: all terminals agree on their width. They differ about emoji, symbols and
 * combining marks.
 */
const certain =
  /^(?:(?!\p{M})[\u001b -~\u00a0-\u00a8\u00aa-\u00ac\u00af-\u00ff\u2010-\u2027\u20ac│\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\uac00-\ud7a3\u3000-\u3020\uff01-\uff60])*$/u

/** Whether all terminals agree on the width of a text. */
export function hasCertainWidth(text: string): boolean {
  return certain.test(text)
}

/**
 * Truncates a text to a width, with `…` at its end.
 * @param text Without escape sequences: the one that ends a style could be cut off.
 */
export function cutTo<Text extends string>(text: Text, columns: number): Text {
  if (widthOf(text) <= columns) return text
  let cut = ''
  let width = 0
  for (const { segment } of characters.segment(text)) {
    width += widthOf(segment)
    if (width >= columns) break
    cut += segment
  }
  return asSafeAs(text, `${cut.trimEnd()}…`)
}

/** Wraps a text between words; longer words are broken. Styles continue from line to line. */
export function wrapTo<Text extends string>(text: Text, columns: number): Text[] {
  return linesFrom(text, wrapAnsi(text, Math.max(1, columns), { hard: true }).split('\n'))
}

/** Wraps unstyled sentences that are to be copied, as `wrapLine` does. A line that fits is unchanged. */
export function wrapWords<Text extends string>(text: Text, columns: number): Text[] {
  const lines = text.split('\n')
  return linesFrom(
    text,
    lines.flatMap((line) => (widthOf(line) <= columns ? [line] : wrapLine(line, columns, widthOf))),
  )
}

/** Breaks a line at the width, and keeps all whitespace. */
export function foldTo<Text extends string>(line: Text, columns: number): Text[] {
  return linesFrom(line, wrapAnsi(line, Math.max(1, columns), { hard: true, trim: false }).split('\n'))
}

function linesFrom<Text extends string>(text: Text, lines: readonly string[]): Text[] {
  return lines.map((line) => asSafeAs(text, line))
}
