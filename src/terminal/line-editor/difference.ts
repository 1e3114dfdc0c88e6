/** The bytes that turn one frame into another. */

import { widthOf } from '../width.ts'
import type { Frame, Row } from './frame.ts'

const eraseToLineEnd = '\u001b[K'
const eraseBelow = '\u001b[J'

/** Where nothing has been drawn yet: the cursor at the start of an empty line. */
export const emptyFrame: Frame = { rows: [{ lead: '', text: '' }], cursor: { row: 0, column: 0 } }

/** @returns nothing to write where both look alike. */
export function difference(before: Frame, after: Frame): string {
  const pen = new Pen(before.cursor.row, before.cursor.column)
  for (const [index, row] of after.rows.entries()) {
    const old = before.rows[index]
    if (old === undefined) pen.beginRow(index)
    drawRow(pen, index, old ?? { lead: '', text: '' }, row)
  }
  if (before.rows.length > after.rows.length) {
    pen.goTo(after.rows.length, 0)
    pen.write(eraseBelow)
  }
  pen.goTo(after.cursor.row, after.cursor.column)
  return pen.bytes()
}

/**
 * Takes a frame away; the cursor is then where it began. All that is below is erased from the second column on: in the
 * first one of the first row, tmux and others would keep what they take for a whole screen in the scrollback.
 */
export function erased(rowsAbove: number): string {
  return `\r${rowsAbove > 0 ? `\u001b[${rowsAbove}A` : ''}${eraseToLineEnd}\u001b[C${eraseBelow}\r`
}

function drawRow(pen: Pen, index: number, old: Row, row: Row): void {
  if (old.lead === row.lead && old.text === row.text) return
  const [oldWidth, width] = [old, row].map(({ lead, text }) => widthOf(lead) + widthOf(text)) as [number, number]
  const same = old.lead === row.lead ? sameBeginning(old.text, row.text) : undefined
  const column = same === undefined ? 0 : widthOf(row.lead) + same
  pen.goTo(index, column)
  // Erased first: behind the last column of a full row the terminal would erase its last character.
  if (oldWidth > width || (oldWidth > 0 && !isPlain(old.text + row.text))) pen.write(eraseToLineEnd)
  const rest = same === undefined ? row.lead + row.text : row.text.slice(same)
  pen.draw(rest, isPlain(row.text) ? column + widthOf(rest) : undefined)
}

/** Length of what both begin with, as far as one character is surely one column. */
function sameBeginning(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length] && isPlain(one.charAt(length))) length++
  // An accent that follows belongs to the character before it.
  const isFollowedByPlain = isPlain(one.charAt(length)) && isPlain(other.charAt(length))
  return isFollowedByPlain ? length : Math.max(0, length - 1)
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Knows where it stands, and goes elsewhere in as few bytes as it can. */
class Pen {
  #bytes = ''
  #row: number
  /** Unknown behind characters on whose width terminals disagree. */
  #column: number | undefined
  #hasOddWidths = false

  constructor(row: number, column: number) {
    this.#row = row
    this.#column = column
  }

  goTo(row: number, column: number): void {
    if (row === this.#row && column === this.#column) return
    const rows = Math.abs(row - this.#row)
    if (rows > 0) this.#bytes += `\u001b[${rows === 1 ? '' : rows}${row < this.#row ? 'A' : 'B'}`
    this.#bytes += column === 0 ? '\r' : `\u001b[${column + 1}G`
    this.#row = row
    this.#column = column
  }

  /** Goes to a new row below all others, for which the terminal may have to scroll. */
  beginRow(row: number): void {
    if (this.#row < row - 1) this.goTo(row - 1, 0)
    this.#bytes += '\r\n'
    this.#row = row
    this.#column = 0
  }

  /** @param column Where the pen then stands, if that is sure. */
  draw(text: string, column: number | undefined): void {
    this.#bytes += text
    this.#column = column
    this.#hasOddWidths ||= column === undefined
  }

  write(sequence: string): void {
    this.#bytes += sequence
  }

  /** A terminal that takes characters for wider than they are must not break the row: it then doesn't wrap. */
  bytes(): string {
    return this.#hasOddWidths ? `\u001b[?7l${this.#bytes}\u001b[?7h` : this.#bytes
  }
}
