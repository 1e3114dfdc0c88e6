/** The escape sequences that turn the rows on the screen into others, with as few bytes as the change needs. */

import type { Io } from '../../io/io.ts'
import { reflows, reflowsCursorRow } from '../reflow.ts'
import { hasCertainWidth, widthOf } from '../width.ts'
import type { Frame, Row } from './layout.ts'
import type { OpenRow } from './open-row.ts'

const eraseToLineEnd = '\u001b[K'
const eraseBelow = '\u001b[J'

/** The frame before the first one: the cursor at the start of an empty line. */
export const emptyFrame: Frame = { rows: [{ lead: '', text: '' }], cursor: { row: 0, column: 0 } }

/** In columns. */
export function rowWidth({ lead, text, open }: Row): number {
  return open?.width ?? widthOf(lead) + widthOf(text)
}

/** How many rows of the frame are above the cursor after a resize: most terminals reflow rows that are now too wide. */
export function rowsAboveCursor({ rows, cursor }: Frame, columns: number, env: Io['env']): number {
  if (!reflows(env)) return cursor.row
  const widths = rows.map(rowWidth)
  const heights = widths.map((width) => Math.max(1, Math.ceil(width / columns)))
  // At the end of a full row, the cursor is after it, not at the start of the next one.
  const isAtEnd = cursor.column > 0 && cursor.column >= (widths[cursor.row] ?? 0)
  const within = Math.floor((cursor.column - (isAtEnd ? 1 : 0)) / columns)
  const above = heights.slice(0, cursor.row).reduce((sum, height) => sum + height, 0)
  if (reflowsCursorRow(env)) return above + within
  // xterm.js moves the cursor down by each row that it adds, also below the cursor.
  return above + heights.slice(cursor.row + 1).reduce((sum, height) => sum + height - 1, 0)
}

/**
 * Erases rows and moves the cursor to the start of the first one. The rows below are erased from the second column: erasing
 * from the first cell of the screen makes tmux and others save a copy of the screen to the scrollback.
 */
export function eraseSequence(rowsAbove: number): string {
  return `\r${rowsAbove > 0 ? `\u001b[${rowsAbove}A` : ''}${eraseToLineEnd}\u001b[C${eraseBelow}\r`
}

/** Draws a frame at the cursor, which must be at the start of an empty line. */
export function drawSequence(frame: Frame): string {
  return updateSequence(emptyFrame, frame)
}

/** Moves the cursor from the end of the first row to its place in a frame of which only that row is drawn. */
export function drawBelowSequence(frame: Frame): string {
  const [first, ...others] = frame.rows as [Row, ...Row[]]
  const pen = new Pen(0, rowWidth(first))
  for (const [index, row] of others.entries()) {
    pen.beginRow(index + 1)
    updateRow(pen, index + 1, { lead: '', text: '' }, row)
  }
  pen.goTo(frame.cursor.row, frame.cursor.column)
  return pen.sequence()
}

/** @returns the escape sequences that turn one frame into the other; empty if they look the same. */
export function updateSequence(before: Frame, after: Frame): string {
  const pen = new Pen(before.cursor.row, before.cursor.column)
  for (const [index, row] of after.rows.entries()) {
    const old = before.rows[index]
    if (old === undefined) pen.beginRow(index)
    updateRow(pen, index, old ?? { lead: '', text: '' }, row)
  }
  if (before.rows.length > after.rows.length) {
    pen.goTo(after.rows.length, 0)
    pen.write(eraseBelow)
  }
  pen.goTo(after.cursor.row, after.cursor.column)
  return pen.sequence()
}

/** At its start. A row that continues a wrapped line is left as it is, as erasing would end that line. */
export function eraseOpenRow({ isContinued }: OpenRow): string {
  return isContinued ? '' : eraseToLineEnd
}

function updateRow(pen: Pen, index: number, old: Row, row: Row): void {
  if (old.lead === row.lead && old.text === row.text) return
  const [oldWidth, width] = [rowWidth(old), rowWidth(row)]
  if (row.open && old.open && row.text.startsWith(old.text)) {
    const { isCertain } = row.open
    const added = row.text.slice(old.text.length)
    // A combining mark joins only the character that was written just before it.
    const isAppended = isCertain && old.open.isCertain && hasCertainWidth(added)
    pen.goTo(index, isAppended ? oldWidth : 0)
    if (!isAppended) pen.write(eraseOpenRow(row.open))
    return pen.draw(isAppended ? added : row.text, isCertain ? width : undefined)
  }
  const same = old.lead === row.lead ? commonPlainLength(old.text, row.text) : undefined
  const column = same === undefined ? 0 : widthOf(row.lead) + same
  pen.goTo(index, column)
  // Erase before drawing: after a full row, the terminal would erase the character in its last column.
  if (oldWidth > width || (oldWidth > 0 && !isPlain(old.text + row.text))) pen.write(eraseToLineEnd)
  const rest = same === undefined ? row.lead + row.text : row.text.slice(same)
  const isCertain = row.open?.isCertain ?? isPlain(row.text)
  pen.draw(rest, isCertain ? width : undefined)
}

/** Length of the common prefix of characters that certainly take one column each. */
function commonPlainLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length] && isPlain(one.charAt(length))) length++
  // A combining accent belongs to the character before it.
  const isFollowedByPlain = isPlain(one.charAt(length)) && isPlain(other.charAt(length))
  return isFollowedByPlain ? length : Math.max(0, length - 1)
}

/** Whether a text is printable ASCII. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Collects escape sequences and text, and tracks the cursor. */
class Pen {
  #sequence = ''
  #row: number
  /** Unknown after characters whose width differs between terminals. */
  #column: number | undefined
  #hasUncertainWidths = false

  constructor(row: number, column: number) {
    this.#row = row
    this.#column = column
  }

  goTo(row: number, column: number): void {
    if (row === this.#row && column === this.#column) return
    const rows = Math.abs(row - this.#row)
    if (rows > 0) this.#sequence += `\u001b[${rows === 1 ? '' : rows}${row < this.#row ? 'A' : 'B'}`
    this.#sequence += column === 0 ? '\r' : `\u001b[${column + 1}G`
    this.#row = row
    this.#column = column
  }

  /** Moves to a new row below all others; the terminal may have to scroll. */
  beginRow(row: number): void {
    if (this.#row < row - 1) this.goTo(row - 1, 0)
    this.#sequence += '\r\n'
    this.#row = row
    this.#column = 0
  }

  /** @param column The column of the cursor afterwards, if it is certain. */
  draw(text: string, column: number | undefined): void {
    this.#sequence += text
    this.#column = column
    this.#hasUncertainWidths ||= column === undefined
  }

  write(sequence: string): void {
    this.#sequence += sequence
  }

  /** Turns off auto-wrap for characters of uncertain width: a terminal that draws them wider must not wrap the row. */
  sequence(): string {
    return this.#hasUncertainWidths ? `\u001b[?7l${this.#sequence}\u001b[?7h` : this.#sequence
  }
}
