/** Text measured in the columns that it takes on a terminal. */

import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  return stringWidth(text)
}

/**
 * The beginning of a text, `…` standing for the rest where there is more than fits.
 * @param text Without escape sequences: one that is cut off could not take back what the others began.
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

/** The lines of a text, broken between words; colours and the like go on from line to line. */
export function wrapTo(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(1, columns), { hard: true }).split('\n')
}

/**
 * The same for sentences to be read and copied: what fits stays as it is, and a word that is longer than a line, such as
 * an address, is left to the terminal to break, which copies it whole.
 */
export function wrapWords(text: string, columns: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= columns ? [line] : wrapAnsi(line, Math.max(1, columns)).split('\n')))
}

/** The lines of one that stands as it is, spaces and all. */
export function foldTo(line: string, columns: number): string[] {
  return wrapAnsi(line, Math.max(1, columns), { hard: true, trim: false }).split('\n')
}
