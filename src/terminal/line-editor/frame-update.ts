/** The escape sequences that turn the rows on the screen into others, with as few bytes as the change needs. */

import type { Io } from '../../io/io.ts'
import { reflows, reflowsCursorRow } from '../reflow.ts'
import { hasCertainWidth, widthOf } from '../width.ts'
import type { Frame, FrameRow } from './layout.ts'
import type { OpenRow } from './open-row.ts'

const eraseToLineEnd = '\u001b[K'
const eraseBelow = '\u001b[J'

export const blankRow: FrameRow = { lead: '', text: '' }

/** The frame before the first one: the cursor at the start of an empty line. */
export const emptyFrame: Frame = { rows: [blankRow], cursor: { row: 0, column: 0 } }

/** Moves the cursor down, or up for a negative number. */
export function moveRows(rows: number): string {
  const count = Math.abs(rows)
  return rows === 0 ? '' : `\u001b[${count === 1 ? '' : count}${rows < 0 ? 'A' : 'B'}`
}

/** In columns. */
function rowWidth({ lead, text, open }: FrameRow): number {
  return open?.width ?? widthOf(lead) + widthOf(text)
}

/** Of the terminal, before and after a resize. */
export interface ColumnChange {
  readonly before: number
  readonly after: number
}

/** In rows, once the terminal has as many columns. The first one may be all of the line of which the terminal has wrapped the end. */
export function heightOf(rows: readonly FrameRow[], columns: number): number {
  return rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(rowWidth(row) / columns)), 0)
}

/** How many rows of the frame are above the cursor after a resize: most terminals reflow rows that are now too wide. */
export function rowsAboveCursor(frame: Frame, { before, after }: ColumnChange, env: Io['env']): number {
  const { rows, cursor } = frame
  const columns = reflows(env) ? after : before
  const row = rows[cursor.row]
  // At the end of a full row, the cursor is after it, not at the start of the next one.
  const isAtEnd = row && cursor.column >= rowWidth(row)
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

/** Erases a frame after a resize, and moves the cursor to the start of its first row. */
export function eraseReflowedSequence(frame: Frame, columns: ColumnChange, env: Io['env']): string {
  const { rows, cursor } = frame
  // tmux delays the signal of a resize by up to 250 ms, and its width may be any by now. A backspace at the start of a row
  // moves to the end of the one above if both are of one line, and else nowhere. GNU screen in tmux does not do so.
  if (env.TMUX !== undefined && env.STY === undefined) {
    const toStart = (row: FrameRow): string => '\b'.repeat(2 * rowWidth(row) + 1)
    const upwards = rows.slice(0, cursor.row + 1).toReversed()
    return upwards.map(toStart).join('\u001b[A') + eraseSequence(0)
  }
  return eraseSequence(rowsAboveCursor(frame, columns, env))
}

/** Draws a frame at the cursor: at the end of its first row if that is the row of a text, else at the start of an empty line. */
export function drawSequence(frame: Frame): string {
  const [first] = frame.rows
  const before = first?.open ? { rows: [first], cursor: { row: 0, column: first.open.width } } : emptyFrame
  return updateSequence(before, frame)
}

/** @returns the escape sequences that turn one frame into the other; empty if they look the same. */
export function updateSequence(before: Frame, after: Frame): string {
  let sequence = ''
  let row = before.cursor.row
  /** Unknown after characters whose width differs between terminals. */
  let column: number | undefined = before.cursor.column
  let hasUncertainWidths = false
  const goTo = (toRow: number, toColumn: number): void => {
    if (toRow === row && toColumn === column) return
    sequence += moveRows(toRow - row) + (toColumn === 0 ? '\r' : `\u001b[${toColumn + 1}G`)
    ;[row, column] = [toRow, toColumn]
  }
  for (const [index, wanted] of after.rows.entries()) {
    const old = before.rows[index]
    if (old === undefined) {
      // Below all others; the terminal may have to scroll.
      if (row < index - 1) goTo(index - 1, 0)
      sequence += '\r\n'
      ;[row, column] = [index, 0]
    }
    const change = changeOf(old ?? blankRow, wanted)
    if (change === undefined) continue
    goTo(index, change.from)
    sequence += change.text
    column = change.to
    hasUncertainWidths ||= column === undefined
  }
  if (before.rows.length > after.rows.length) {
    goTo(after.rows.length, 0)
    sequence += eraseBelow
  }
  goTo(after.cursor.row, after.cursor.column)
  // Without auto-wrap for characters of uncertain width: a terminal that draws them wider must not wrap the row.
  return hasUncertainWidths ? withoutWrap(sequence) : sequence
}

export function withoutWrap(sequence: string): string {
  return `\u001b[?7l${sequence}\u001b[?7h`
}

/** At its start. A row that continues a wrapped line is left as it is, as erasing would end that line. */
export function eraseOpenRow({ isContinued }: OpenRow): string {
  return isContinued ? '' : eraseToLineEnd
}

/**
 * What turns one row into another: the text that is written from a column on, and the column of the cursor afterwards, if it
 * is certain.
 */
function changeOf(old: FrameRow, row: FrameRow): { from: number; text: string; to: number | undefined } | undefined {
  if (old.lead === row.lead && old.text === row.text) return undefined
  const [oldWidth, width] = [rowWidth(old), rowWidth(row)]
  const isCertain = row.open?.isCertain ?? isPlain(row.text)
  const to = isCertain ? width : undefined
  if (row.open && old.open && row.text.startsWith(old.text)) {
    const added = row.text.slice(old.text.length)
    // A combining mark joins only the character that was written just before it.
    const isAppended = isCertain && old.open.isCertain && hasCertainWidth(added)
    return isAppended ? { from: oldWidth, text: added, to } : { from: 0, text: eraseOpenRow(row.open) + row.text, to }
  }
  // Erase before drawing: after a full row, the terminal would erase the character in its last column.
  const erased = oldWidth > width || (oldWidth > 0 && !isPlain(old.text + row.text)) ? eraseToLineEnd : ''
  if (old.lead !== row.lead) return { from: 0, text: erased + row.lead + row.text, to }
  const same = commonPlainLength(old.text, row.text)
  return { from: widthOf(row.lead) + same, text: erased + row.text.slice(same), to }
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
