/** Measures, truncates and wraps text by its width in terminal columns. */

import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  return stringWidth(text)
}

/**
 * Truncates a text to a width, with `…` at its end.
 * @param text Without escape sequences: the one that ends a style could be cut off.
 */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let cut = ''
  let width = 0
  for (const { segment } of characters.segment(text)) {
    width += widthOf(segment)
    if (width >= columns) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

/** Wraps a text between words; longer words are broken. Styles continue from line to line. */
export function wrapTo(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(1, columns), { hard: true }).split('\n')
}

/**
 * Wraps sentences to be read and copied: a line that fits is unchanged, and a word longer than a line, such as a URL, is
 * left to the terminal to break, so that it is copied whole.
 */
export function wrapWords(text: string, columns: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= columns ? [line] : wrapAnsi(line, Math.max(1, columns)).split('\n')))
}

/** Breaks a line at the width, and keeps all whitespace. */
export function foldTo(line: string, columns: number): string[] {
  return wrapAnsi(line, Math.max(1, columns), { hard: true, trim: false }).split('\n')
}
