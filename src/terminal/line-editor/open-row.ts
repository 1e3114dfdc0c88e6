/** The last row of the text on a terminal, to which more text may be appended. */

import { hasCertainWidth } from '../width.ts'
import { endOfWrapped } from '../wrapped-width.ts'
import { boundaryFrom } from '../graphemes.ts'

export interface OpenRow {
  /** With its escape sequences, and those before it that still apply. */
  readonly text: string
  /** In columns, at most those of the terminal. */
  readonly width: number
  /** All of the line that the row ends; `undefined` if its first rows were scrolled out of the screen. */
  readonly line: string | undefined
  /** Whether it is as wide on every terminal; some draw emoji, accents and tabs differently. */
  readonly isCertain: boolean
  /** Whether the terminal wrapped the line before it, so that it continues the row above. */
  readonly isContinued: boolean
}

export const emptyRow: OpenRow = { text: '', width: 0, line: '', isCertain: true, isContinued: false }

/**
 * Appends text, which may have any number of lines; after a carriage return it is the last row again. Its last line is broken if its last row cannot be drawn again: where the
 * terminal wraps a line of uncertain width is not known. The rows look the same, but a copy of such a line, which only text has
 * that is not wrapped at the width, has a line end there. Between words if the row above ends with a part of one.
 * @param columns The columns of the terminal.
 * @param isLast Whether the row is not drawn again, so that the line need not be broken.
 * @returns the text, with at most one more line feed, and the last row afterwards.
 */
export function appendToRow(
  row: OpenRow,
  text: string,
  columns: number,
  isLast: boolean,
): { text: string; row: OpenRow } {
  if (text === '') return { text, row }
  const lineFeed = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
  const before = lineFeed === -1 ? row : emptyRow
  const line = before.text + text.slice(lineFeed + 1)
  const { row: last, start } = lastRow(line, columns, before.isContinued)
  const written = before.text.length
  const at = boundaryFrom(line, Math.max(start, written))
  if (isLast || !last.isContinued || last.isCertain || at === line.length) {
    if (lineFeed !== -1 || last.text === '') return { text, row: last }
    return { text, row: { ...last, line: row.line === undefined ? undefined : row.line + text } }
  }
  const sequences = last.text.slice(0, start - line.length)
  const word = line.lastIndexOf(' ', at - 1) + 1
  const isWordStart = word > 0 && word >= written && at - word < columns && !/[\u0007\u001b]/.test(line.slice(word, at))
  const fits = isWordStart && !lastRow(line.slice(word), columns, false).row.isContinued
  const end = fits ? word : at
  const rest = sequences + line.slice(end)
  return {
    text: `${text.slice(0, lineFeed + 1)}${line.slice(written, end)}\n${rest}`,
    row: lastRow(rest, columns, false).row,
  }
}

/** Control sequences, OSC, printable ASCII, tabs, and runs of other characters. */
const tokens = /\u001b\[[\d;?]*([A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -~]+|\t|[^\u001b\t -~]+/g

const tabWidth = 8

/**
 * @param line Without a line feed.
 * @returns the row, and where it starts in the line.
 */
function lastRow(line: string, columns: number, isContinued: boolean): { row: OpenRow; start: number } {
  let width = 0
  let isCertain = true
  let start = 0
  let sequences = ''
  let before = ''
  let isEmpty = true
  for (const { 0: token, 1: final, index } of line.matchAll(tokens)) {
    isEmpty &&= token.startsWith('\u001b')
    if (token.startsWith('\u001b')) {
      if (final === 'G') [width, isCertain] = [Number(token.slice(2, -1) || '1') - 1, true]
      // EL would erase, at the start of a row that is written again.
      else if (final !== 'K') sequences += token
    } else if (token === '\t') {
      width = Math.min(columns - 1, (Math.floor(width / tabWidth) + 1) * tabWidth)
      isCertain = false
    } else {
      isCertain &&= hasCertainWidth(token)
      const { column, rowStart } = endOfWrapped(token, width, columns)
      if (rowStart !== undefined) [start, before] = [index + rowStart, sequences]
      width = column
    }
  }
  // Styles end in the text that begins them, so that sequences alone change nothing.
  if (isEmpty) return { row: { ...emptyRow, isContinued }, start }
  const text = before + line.slice(start)
  return { row: { text, width, line, isCertain, isContinued: isContinued || start > 0 }, start }
}
