/** Measures and truncates text by its width in terminal columns. */

import stringWidth from 'fast-string-width'
import { asSafeAs } from '../io/text/safe-text.ts'
import { graphemes } from './graphemes.ts'
import { wrapLine } from './wrap-line.ts'

/** In characters: with millions of combining marks, the package ends the stack. */
const longestMeasured = 1000

export function widthOf(text: string): number {
  // Most single characters; the package takes 1 µs for each.
  if (text.length === 1 && text >= ' ' && text <= '~') return 1
  // The package takes each for a column.
  const visible = text.replaceAll(invisible, '')
  if (visible.length <= longestMeasured || visible.includes('\u001b')) return stringWidth(visible)
  let width = 0
  for (let at = 0; at < visible.length; at += longestMeasured) {
    width += stringWidth(visible.slice(at, at + longestMeasured))
  }
  return width
}

/** Characters that only separate or join others; in an emoji, a joiner is a part of it. */
const invisible = /[\u200b\u200c\u2060]|(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d/gu

/**
 * Finds the end of a text that starts at a column and that the terminal wraps.
 * @returns the column, `columns` after a full row, and where in the text its last row starts, if it was wrapped.
 */
export function endOfWrapped(
  text: string,
  start: number,
  columns: number,
): { column: number; rowStart: number | undefined } {
  let [at, column] = [0, start]
  let rowStart: number | undefined
  // Most texts are one run.
  const parts = /^[ -~]*$/.test(text) ? ['', text] : text.split(asciiRun)
  for (const [index, part] of parts.entries()) {
    const isAscii = index % 2 === 1
    for (const cluster of isAscii ? [part] : graphemes(part)) {
      const width = isAscii ? part.length : widthOf(cluster)
      at += cluster.length
      column += width
      if (column <= columns) continue
      // A cluster is moved to the next row as a whole.
      column = isAscii ? ((column - 1) % Math.max(1, columns)) + 1 : width
      rowStart = at - (isAscii ? column : cluster.length)
    }
  }
  return { column, rowStart }
}

/** Printable ASCII, of one column each, but for a last character that others may be combined with. */
const asciiRun = /([ -~]+(?=[ -~]|$))/

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

/** The rows of a text in a width that each of them has on any terminal: what may be wider counts as two columns a character. */
export function surelyFittingRows(text: string, columns: number): string[] {
  const rows: string[] = []
  let [row, used] = ['', 0]
  for (const character of text) {
    const width = hasCertainWidth(character) ? widthOf(character) : 2
    if (row !== '' && used + width > columns) {
      rows.push(row)
      ;[row, used] = ['', 0]
    }
    row += character
    used += width
  }
  return [...rows, row]
}

/** In characters: no terminal has room for more, but for combining marks, of which a letter may have millions. */
const longestCut = 10_000

/**
 * Truncates a text to a width, with `…` at its end.
 * @param text Without escape sequences: the one that ends a style could be cut off.
 */
export function cutTo<Text extends string>(text: Text, columns: number): Text {
  if (text.length <= longestMeasured && widthOf(text) <= columns) return text
  let [at, width, cut] = [0, 0, 0]
  for (const grapheme of graphemes(text)) {
    width += widthOf(grapheme)
    if (width > columns || at >= longestCut) return asSafeAs(text, `${text.slice(0, cut).trimEnd()}…`)
    at += grapheme.length
    if (width < columns) cut = at
  }
  return text
}

/** Fills up a text with spaces. A wider one is unchanged. */
export function padTo<Text extends string>(text: Text, columns: number): Text {
  return asSafeAs(text, text + ' '.repeat(Math.max(0, columns - widthOf(text))))
}

/** In characters: the terminal wraps a longer text. To measure 100,000 characters may take a second. */
export const longestWrapped = 10_000

/** Wraps unstyled sentences that are to be copied, as `wrapLine` does. A line that fits is unchanged. */
export function wrapWords<Text extends string>(text: Text, columns: number): Text[] {
  const isKept = (line: string): boolean => line.length > longestWrapped || widthOf(line) <= columns
  const lines = text.split('\n').flatMap((line) => (isKept(line) ? [line] : wrapLine(line, columns, widthOf)))
  return lines.map((line) => asSafeAs(text, line))
}
