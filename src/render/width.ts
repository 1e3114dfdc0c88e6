/** Text measured in the columns that it takes on a terminal. */

import truncatedWidth from 'fast-string-truncated-width'
import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

export function widthOf(text: string): number {
  return stringWidth(text)
}

/** @param text Without escape sequences: one that is cut off could not take back what the others began. */
export function cutTo(text: string, columns: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: '…', ellipsisWidth: 1 })
  return ellipsed ? `${text.slice(0, index).trimEnd()}…` : text
}

/** The lines of a text, broken between words; colours and the like go on from line to line. */
export function wrapTo(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(1, columns), { hard: true }).split('\n')
}

/** The lines of one that stands as it is, spaces and all. */
export function foldTo(line: string, columns: number): string[] {
  return wrapAnsi(line, Math.max(1, columns), { hard: true, trim: false }).split('\n')
}
