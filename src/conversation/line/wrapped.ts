/**
 * Frames of which the terminal wraps the long lines itself. tmux needs them: when it gets narrower it moves rows into the
 * scrollback, where nothing can be taken back; but as it wraps such lines anew, nothing has to be.
 */

import type { Io } from '../../io/io.ts'
import { widthOf } from '../../render/width.ts'
import { difference } from './difference.ts'
import type { Frame, Row } from './frame.ts'

export function isWrappedHere({ TMUX, TERM = '' }: Io['env']): boolean {
  return TMUX !== undefined || TERM.startsWith('tmux')
}

/** Of other characters it isn't sure where the terminal wraps them. */
export function canBeWrapped({ rows }: Frame): boolean {
  return rows.every(({ text }) => /^[ -~]*$/.test(text))
}

/** The same frame on a terminal of endless width. */
export function unwrapped({ rows, cursor }: Frame): Frame {
  const lines: Row[] = []
  let place = cursor
  for (const [index, row] of rows.entries()) {
    const before = goesOn(row) ? lines.pop() : undefined
    if (index === cursor.row) place = { row: lines.length, column: (before ? widthOfRow(before) : 0) + cursor.column }
    lines.push(before ? { ...before, text: before.text + row.text } : { lead: row.lead, text: row.text })
  }
  return { rows: lines, cursor: place }
}

/** Whether the terminal has made the one of the other, wrapping its lines anew. */
export function isSameWrapped(before: Frame, after: Frame): boolean {
  const [one, other] = [unwrapped(before), unwrapped(after)]
  return (
    ![before, after].some((frame) => isBehindFullRow(frame) && !waitsAtEnd(frame)) &&
    one.rows.length === other.rows.length &&
    one.rows.every(({ lead, text }, index) => lead === other.rows[index]?.lead && text === other.rows[index].text)
  )
}

/** How many rows lie above the cursor. */
export function rowsAboveCursor(frame: Frame): number {
  return frame.cursor.row - (waitsAtEnd(frame) ? 1 : 0)
}

/** Whether at most rows differ which the terminal doesn't wrap. */
export function isChangeWithinRows(before: Frame, after: Frame): boolean {
  return (
    before.rows.length === after.rows.length &&
    (difference(before, after) === '' || ![before, after].some(waitsAtEnd)) &&
    after.rows.every((row, index) => {
      const old = before.rows[index]
      if (old === undefined || goesOn(old) !== goesOn(row)) return false
      return (old.lead === row.lead && old.text === row.text) || !goesOn(after.rows[index + 1])
    })
  )
}

/** The bytes that draw it from where the cursor is, with nothing below. */
export function drawWrapped(frame: Frame): string {
  const { cursor } = frame
  const rows = waitsAtEnd(frame) ? frame.rows.slice(0, -1) : frame.rows
  const bytes = rows.map((row, index) => (index === 0 || isWrapped(row) ? '' : '\r\n') + row.lead + row.text).join('')
  if (waitsAtEnd(frame)) return bytes
  const up = rows.length - 1 - cursor.row
  return `${bytes}${up > 0 ? `\u001b[${up}A` : ''}\r${cursor.column > 0 ? `\u001b[${cursor.column}C` : ''}`
}

/** An empty row is not one that the terminal makes. */
function isWrapped(row: Row): boolean {
  return goesOn(row) && row.text !== ''
}

/** Behind a full row at the very end the cursor stays at its end, where tmux leaves it too: what follows goes on below. */
function waitsAtEnd(frame: Frame): boolean {
  return isBehindFullRow(frame) && frame.cursor.row === frame.rows.length - 1
}

function isBehindFullRow({ rows, cursor }: Frame): boolean {
  const row = rows[cursor.row]
  return goesOn(row) && row?.text === ''
}

function goesOn(row: Row | undefined): boolean {
  return row?.isLineStart === false
}

function widthOfRow({ lead, text }: Row): number {
  return widthOf(lead) + widthOf(text)
}
