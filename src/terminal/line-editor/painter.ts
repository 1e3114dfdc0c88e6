import type { Io } from '../../io/io.ts'
import { wrapsAnew, wrapsCursorRow } from '../reflow.ts'
import type { Style } from '../style.ts'
import { widthOf } from '../width.ts'
import { drawFrame, drawSent, type Frame, type Row, type Size, type View } from './layout.ts'

const clearScreen = '\u001b[H\u001b[2J'

/** Draws frames, each as little as differs from the last one, and in one write. */
export class Painter {
  readonly #io: Io
  readonly #style: Pick<Style, 'dim'>
  #frame: Frame | undefined
  #columns = 0

  constructor(io: Io, style: Pick<Style, 'dim'>) {
    this.#io = io
    this.#style = style
  }

  /** What is drawn first begins at the cursor, which must stand at the start of a line. */
  show(view: View): void {
    this.#write(this.#eraseStale() + this.#draw(view))
  }

  /** Clears the screen first. */
  showAlone(view: View): void {
    this.#frame = undefined
    this.#write(clearScreen + this.#draw(view))
  }

  /** Puts in the frame's place what is to stay of it, and nothing where no view is given. */
  leave(view?: View): void {
    if (this.#frame === undefined) return
    const size = this.#size()
    const lines = view ? `${drawSent(view, size, this.#style.dim)}\r\n` : ''
    this.#write(erased(rowsAbove(this.#frame, size.columns, this.#io.env)) + lines)
    this.#frame = undefined
  }

  /** What was typed while the terminal was given away may have been echoed where the frame is to stand. */
  clearRow(): void {
    this.#write(erased(0))
  }

  #draw(view: View): string {
    const size = this.#size()
    const frame = drawFrame(view, size, this.#style.dim)
    const bytes = difference(this.#frame ?? emptyFrame, frame)
    this.#frame = frame
    this.#columns = size.columns
    return bytes
  }

  /** After a change of width the old frame is of no use. */
  #eraseStale(): string {
    const { columns } = this.#size()
    if (this.#frame === undefined || columns === this.#columns) return ''
    const sequence = erased(rowsAbove(this.#frame, columns, this.#io.env))
    this.#frame = undefined
    return sequence
  }

  #size(): Size {
    const { out } = this.#io
    return { columns: out.columns(), rows: out.stream?.rows || 24 }
  }

  /** Failures are main.ts's to notice: it then ends the run. */
  #write(text: string): void {
    if (text !== '') void this.#io.out.write(text).catch(() => undefined)
  }
}

/**
 * How many rows of the terminal lie above the cursor's after a change of width: most terminals wrap anew what was
 * wider than they are now.
 */
export function rowsAbove({ rows, cursor }: Frame, columns: number, env: Io['env']): number {
  if (!wrapsAnew(env)) return cursor.row
  const widths = rows.map(({ lead, text }) => widthOf(lead) + widthOf(text))
  const heights = widths.slice(0, cursor.row).map((width) => Math.max(1, Math.ceil(width / columns)))
  // At the end of a full row the cursor stands behind it, and not at the start of the next one.
  const isAtEnd = cursor.column > 0 && cursor.column >= (widths[cursor.row] ?? 0)
  const within = wrapsCursorRow(env) ? Math.floor((cursor.column - (isAtEnd ? 1 : 0)) / columns) : 0
  return heights.reduce((sum, height) => sum + height, within)
}

/** The bytes that turn one frame into another. */

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
