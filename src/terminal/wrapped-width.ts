/** Rows of text that the terminal wraps by itself: where the last one ends, and rows that no terminal wraps. */

import { graphemes } from './graphemes.ts'
import { hasCertainWidth, widthOf } from './width.ts'

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
