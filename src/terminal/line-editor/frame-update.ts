/** The escape sequences that turn the rows on the screen into others, with as few bytes as the change needs. */

import type { Io } from '../../io/io.ts'
import { multiplexer, reflows, reflowsCursorRow } from '../reflow.ts'
import { hasCertainWidth, widthOf } from '../width.ts'
import type { Frame, Row } from './layout.ts'
import type { OpenRow } from './open-row.ts'

const eraseToLineEnd = '\u001b[K'
const eraseBelow = '\u001b[J'

export const blankRow: Row = { lead: '', text: '' }

/** The frame before the first one: the cursor at the start of an empty line. */
export const emptyFrame: Frame = { rows: [blankRow], cursor: { row: 0, column: 0 } }

/** Moves the cursor down, or up for a negative number. */
export function moveRows(rows: number): string {
  const count = Math.abs(rows)
  return rows === 0 ? '' : `\u001b[${count === 1 ? '' : count}${rows < 0 ? 'A' : 'B'}`
}

/** In columns. */
export function rowWidth({ lead, text, open }: Row): number {
  return open?.width ?? widthOf(lead) + widthOf(text)
}

/** Of the terminal, before and after a resize. */
export interface ColumnChange {
  readonly before: number
  readonly after: number
}

/** In rows, once the terminal has as many columns. The first one may be all of the line of which the terminal has wrapped the end. */
export function heightOf(rows: readonly Row[], columns: number): number {
  return rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(rowWidth(row) / columns)), 0)
}

/** How many rows of the frame are above the cursor after a resize: most terminals reflow rows that are now too wide. */
export function rowsAboveCursor(frame: Frame, { before, after }: ColumnChange, env: Io['env']): number {
  const { rows, cursor } = frame
  const columns = reflows(env) ? after : before
  const row = rows[cursor.row]
  // At the end of a full row, the cursor is after it, not at the start of the next one. In GNU screen it counts as text.
  const isAtEnd = multiplexer(env) === 'screen' ? cursor.column % before === 0 : row && cursor.column >= rowWidth(row)
  const within = (width: number): number => Math.floor((cursor.column - (isAtEnd && cursor.column > 0 ? 1 : 0)) / width)
  const above = heightOf(rows.slice(0, cursor.row), columns)
  if (!reflows(env) || reflowsCursorRow(env)) return above + within(columns)
  // xterm.js moves the cursor down by each row that it adds, also below the cursor.
  const below = rows.slice(cursor.row + 1)
  return above + within(before) + heightOf(below, columns) - below.length
}

/**
 * Erases rows and moves the cursor to the start of the first one. The rows below are erased from the second column: erasing
 * from the first cell of the screen makes tmux and others save a copy of the screen to the scrollback.
 */
export function eraseSequence(rowsAbove: number): string {
  return `\r${moveRows(-rowsAbove)}${eraseToLineEnd}\u001b[C${eraseBelow}\r`
}

/**
 * Erases a frame after a resize, and moves the cursor to the start of its first row. GNU screen remembers of erased rows that
 * it has wrapped them, and joins them when it wraps its rows the next time; of rows that are inserted it does not.
 */
export function eraseReflowedSequence(frame: Frame, columns: ColumnChange, env: Io['env']): string {
  const { rows, cursor } = frame
  // tmux delays the signal of a resize by up to 250 ms, and its width may be any by now. A backspace at the start of a row
  // moves to the end of the one above if both are of one line, and else nowhere.
  if (multiplexer(env) === 'tmux') {
    const toStart = (row: Row): string => '\b'.repeat(2 * rowWidth(row) + 1)
    return `${rows
      .slice(0, cursor.row + 1)
      .map(toStart)
      .toReversed()
      .join('\u001b[A')}${eraseSequence(0)}`
  }
  const above = rowsAboveCursor(frame, columns, env)
  return multiplexer(env) === 'screen' ? `\r${moveRows(-above)}\u001b[999L` : eraseSequence(above)
}

/** Draws a frame at the cursor: at the end of its first row if that is the row of a text, else at the start of an empty line. */
export function drawSequence(frame: Frame): string {
  const [first] = frame.rows
  return updateSequence(
    first?.open ? { rows: [first], cursor: { row: 0, column: first.open.width } } : emptyFrame,
    frame,
  )
}

/** @returns the escape sequences that turn one frame into the other; empty if they look the same. */
export function updateSequence(before: Frame, after: Frame): string {
  const pen = new Pen(before.cursor.row, before.cursor.column)
  for (const [index, row] of after.rows.entries()) {
    const old = before.rows[index]
    if (old === undefined) pen.beginRow(index)
    updateRow(pen, index, old ?? blankRow, row)
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
    this.#sequence += moveRows(row - this.#row) + (column === 0 ? '\r' : `\u001b[${column + 1}G`)
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
