/**
 * Keeps a footer, such as the line being edited, below the text that others write to the terminal. The rows of the text are
 * written once and left to the scrollback; only its last row, while it is open, and the footer are drawn again. Only relative
 * moves, no scroll region and no alternate screen: they work in tmux, over ssh and on every terminal with ECMA-48.
 */

import type { Io } from '../../io/io.ts'
import { asSafeText, noText, type SafeText } from '../../io/text/safe-text.ts'
import { startTimer } from '../../io/time/time.ts'
import { appendToRow, emptyRow, type OpenRow } from './open-row.ts'
import type { Style } from '../style.ts'
import { hasCertainWidth, widthOf } from '../width.ts'
import {
  layOutFooter,
  blankRow,
  emptyFrame,
  heightOf,
  type FooterLook,
  type FooterView,
  layOutSent,
  type Frame,
  type SentLine,
  type TerminalSize,
  rowWidth,
  type FrameRow,
} from './layout.ts'
import { LinePainter } from './line-painter.ts'
import { reflows, reflowsCursorRow } from '../reflow.ts'

/** In milliseconds, between two writes: 30 a second. */
const frameTime = 33

/**
 * In milliseconds without another resize, before anything is drawn again: tmux tells a change of its size, after which it has
 * wrapped its rows anew, up to 250 ms later.
 */
const resizeTime = 300

/** In characters: more waiting text makes its writers wait for the terminal. */
const maximumWaiting = 65_536

const styles = /\u001b\[[\d;]*m/g

/** Characters that may take two columns: a row that ends before one is not full. Dashes and curly quotes take one. */
const mayBeWide = /[\u1100-\u200f\u2028-\uffff]/

/** IND: down by a row, scrolling at the last one, in the same column. */
const down = '\u001bD'

/** What draws the footer: the line being edited, and the rows above it. */
export type Painter = AnsiPainter | LinePainter

export function choosePainter(io: Io, style: Pick<Style, 'dim' | 'bold'>): Painter {
  return io.isPlain?.() && io.out.isTerminal ? new LinePainter(io.out) : new AnsiPainter(io, style)
}

class AnsiPainter {
  readonly #io: Io
  readonly #style: Pick<Style, 'dim' | 'bold'>
  /** What is on the screen; its first row is the open row of the text, if there is one. */
  #frame = emptyFrame
  #open = emptyRow
  /** The last characters of the text above the open line. */
  #tail = '\n\n'
  /** What commands printed, until the open line ends. */
  #printed = noText
  #size: TerminalSize
  #view: FooterView | undefined
  /** How the last footer was laid out. */
  #look: FooterLook | undefined
  /** Text that is not on the screen yet. */
  #waiting = noText
  /** Whether to push the screen with the text that waits. */
  #isPushed = false
  /** Writers that wait until the terminal has taken the text. */
  #writers: (() => void)[] = []
  #isScheduled = false
  #isWriting = false
  /** Whether there was something to draw while the terminal took the last write. */
  #isDue = false
  #isPaused = false
  #isClosed = false
  #lastWrite = -Infinity
  #timer: NodeJS.Timeout | undefined
  /** While the terminal is being resized: nothing is drawn. */
  #resizing: NodeJS.Timeout | undefined

  constructor(io: Io, style: Pick<Style, 'dim' | 'bold'>) {
    this.#io = io
    this.#style = style
    this.#size = this.#currentSize()
  }

  /** Writes text above the footer. Resolves when there is room for more. */
  write(text: SafeText): Promise<void> {
    if (this.#isClosed) return this.#io.out.isTerminal ? this.#io.out.writeDirectly(text) : Promise.resolve()
    if (text === '') return Promise.resolve()
    this.#waiting = asSafeText(this.#waiting + text)
    this.#schedule()
    if (this.#waiting.length < maximumWaiting || this.#isPaused) return Promise.resolve()
    return new Promise((resolve) => this.#writers.push(resolve))
  }

  /** Draws the footer soon. */
  show(view: FooterView): void {
    this.#view = view
    this.#schedule()
  }

  /** Whether the list of the line is shown: there may be no room for it. */
  hasList(view: FooterView): boolean {
    const look = this.#look && { ...this.#look, size: this.#currentSize() }
    return look !== undefined && layOutFooter(view, this.#open, look).hasList === true
  }

  /** Ends the line: what was sent stays as text. With what it printed, it stands below the line of the text that is open. */
  keep(line: SentLine, printed?: SafeText): void {
    const sent = `${line.above ?? ''}${layOutSent(line, this.#currentSize(), this.#style)}\n`
    if (printed === undefined) return void this.write(asSafeText(sent))
    this.#printed = asSafeText(`${this.#printed}${(sent + printed).trimEnd()}\n\n`)
    this.#schedule()
  }

  /** Pushes the text above the footer into the scrollback. */
  pushScreen(): void {
    this.#isPushed = true
    this.#schedule()
  }

  /** Erases the footer, and holds all text, until `resume`. */
  pause(): void {
    const size = this.#currentSize()
    this.#view = undefined
    this.#flush({ size })
    // What the other program writes must not continue a row of the text.
    if (this.#open.text !== '') this.#send(this.#takeBack(size))
    this.#isPaused = true
  }

  /** The cursor may be anywhere in a line that the other program wrote, or that the terminal echoed: it is erased. */
  resume(): void {
    if (this.#isClosed) return
    this.#isPaused = false
    this.#size = this.#currentSize()
    this.#send(eraseSequence(0))
    this.#schedule()
  }

  /** Erases the footer for good. Text that is written later goes straight to the terminal. */
  close(): void {
    if (this.#isClosed) return
    const size = this.#currentSize()
    this.#view = undefined
    this.#isPaused = false
    this.#flush({ isLast: true, size })
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** What comes together is drawn together, at once if nothing was drawn just before. */
  #schedule(): void {
    if (this.#isPaused || this.#isClosed) return
    if (this.#isResized(this.#currentSize())) return this.#draw()
    if (this.#isScheduled) return
    this.#isScheduled = true
    const wait = this.#lastWrite + frameTime - this.#io.elapsed()
    if (wait <= 0) return queueMicrotask(() => this.#draw())
    this.#timer = startTimer(Math.min(wait, frameTime), () => this.#draw())
  }

  #draw(): void {
    this.#isScheduled = false
    // While the terminal is stopped (Ctrl-S), no further writes are queued.
    this.#isDue = this.#isWriting
    if (this.#isWriting || this.#isPaused || this.#isClosed) return
    const size = this.#currentSize()
    if (!this.#isResized(size)) {
      if (this.#resizing === undefined) this.#flush({ size })
      return
    }
    // Erases all that the terminal may wrap anew.
    if (this.#resizing === undefined) this.#send(this.#takeBack(size))
    this.#size = size
    clearTimeout(this.#resizing)
    this.#resizing = startTimer(resizeTime, () => {
      this.#resizing = undefined
      this.#draw()
    })
  }

  #isResized({ columns, rows }: TerminalSize): boolean {
    return columns !== this.#size.columns || rows !== this.#size.rows
  }

  #flush({ isLast = false, size }: { isLast?: boolean; size: TerminalSize }): void {
    const erased = this.#isResized(size) ? this.#takeBack(size) : ''
    this.#size = size
    clearTimeout(this.#resizing)
    this.#resizing = undefined
    const sequence = (this.#isPushed ? this.#pushSequence() : '') + this.#takeSequence(isLast)
    this.#send(erased === '' ? sequence : inOneStep(erased + sequence))
  }

  /** Draws the text that waits, and moves all rows of the screen above it, except the open one. */
  #pushSequence(): string {
    this.#isPushed = false
    const drawn = this.#takeSequence(false)
    const { rows } = this.#size
    if (this.#open.isContinued) this.#open = { ...this.#open, line: undefined }
    // Without a carriage return, so that the end of the open row is found again.
    return drawn + this.#toText() + down.repeat(rows - 1) + moveRows(1 - rows) + drawSequence(this.#frame)
  }

  /** Draws the text that waits, and the footer below it. */
  #takeSequence(isLast: boolean): string {
    const before = this.#open
    const waiting = this.#withPrinted(this.#waiting)
    this.#waiting = noText
    const { text, row } = appendToRow(before, waiting, this.#size.columns, isLast)
    this.#open = row
    const ended = text.slice(0, text.lastIndexOf('\n') + 1)
    if (ended !== '') this.#tail = (this.#tail + (before.text + ended).replace(styles, '')).slice(-2)
    const needsSpace = row.text !== '' || this.#tail !== '\n\n'
    this.#look = { size: this.#size, needsSpace, dim: this.#style.dim }
    const frame = layOutFooter(this.#view, this.#open, this.#look)
    // A row that a terminal could not show in full is wrapped by it in the end.
    const isUnwrapped = isLast && !this.#open.isCertain
    const isSameRow = this.#open.text === before.text + text && !isUnwrapped
    const sequence = isSameRow
      ? updateSequence(this.#frame, frame)
      : inOneStep(this.#toText(text) + (isLast ? text : guarded(text, this.#open)) + drawSequence(frame))
    this.#frame = frame
    const height = heightOf(withLine(frame, this.#open).rows, this.#size.columns)
    if (this.#open.isContinued && height > this.#size.rows) this.#open = { ...this.#open, line: undefined }
    return sequence
  }

  /** The text that waits, with what commands printed below the last line that it ends. */
  #withPrinted(waiting: SafeText): SafeText {
    const end = waiting.lastIndexOf('\n') + 1
    if (this.#printed === noText || (end === 0 && this.#open.text !== '')) return waiting
    const above = this.#tail + this.#open.text + waiting.slice(0, end)
    const space = above.endsWith('\n\n') ? '' : '\n'
    const printed = asSafeText(waiting.slice(0, end) + space + this.#printed + waiting.slice(end))
    this.#printed = noText
    return printed
  }

  /** Erases the footer, and moves the cursor to the end of the text; `next` follows it. */
  #toText(next = ''): string {
    const { rows, cursor } = this.#frame
    const open = rows[0]?.open
    if (!open) return eraseSequence(cursor.row)
    const below = rows.length > 1 ? `${moveRows(1 - cursor.row)}\r\u001b[J${moveRows(-1)}` : ''
    // The cursor cannot be moved to the end of a full row, where the next character would wrap, and a combining mark may
    // join only the character that was written just before it.
    const [first = ''] = next
    const isReachable =
      open.isCertain && (first === '\n' || (open.width < this.#size.columns && hasCertainWidth(first)))
    return below + (isReachable ? `\u001b[${open.width + 1}G` : `\r${eraseOpenRow(open)}${open.text}`)
  }

  /**
   * Erases the footer, and the open line, which is written again; the terminal may have wrapped both anew. A line that may
   * not be on the screen as a whole is left as it is, and ends.
   */
  #takeBack(size: TerminalSize): string {
    const { rows, cursor } = this.#frame
    const open = this.#open
    const columns = { before: this.#size.columns, after: size.columns }
    const frame = withLine(this.#frame, open)
    const height = heightOf(frame.rows, Math.min(columns.before, columns.after))
    const isTall = height > Math.min(size.rows, this.#size.rows)
    const isLeft =
      open.text !== '' && open.isContinued && (isTall || open.line === undefined || mayBeWide.test(open.line))
    if (isLeft) this.#tail = ''
    this.#frame = emptyFrame
    this.#open = emptyRow
    if (isLeft && cursor.row === 0) return `\r\n${eraseSequence(0)}`
    const below = { rows: rows.slice(1), cursor: { ...cursor, row: cursor.row - 1 } }
    if (!isLeft) this.#waiting = asSafeText((open.line ?? '') + this.#waiting)
    return eraseReflowedSequence(isLeft ? below : frame, columns, this.#io.env)
  }

  /** Asks the terminal, which may have wrapped its rows anew before the event. The listeners of the event may call `show`. */
  #currentSize(): TerminalSize {
    const { out } = this.#io
    out.window?.refresh?.()
    return { columns: out.columns(), rows: out.window?.rows || 24 }
  }

  /** main.ts handles failed writes, by ending the run. */
  #send(sequence: string): void {
    const { out } = this.#io
    const writers = this.#writers
    this.#writers = []
    const release = (): void => writers.forEach((resolve) => resolve())
    if (!out.isTerminal || sequence === '') return release()
    this.#lastWrite = this.#io.elapsed()
    this.#isWriting = true
    void out
      .writeDirectly(asSafeText(sequence))
      .catch(() => undefined)
      .then(() => {
        this.#isWriting = false
        release()
        if (this.#isDue) this.#schedule()
      })
  }
}

/** The frame with all of the open line in its first row. */
function withLine({ rows, cursor }: Frame, open: OpenRow): Frame {
  if (open.text === '') return { rows, cursor }
  const width = widthOf(open.line ?? '')
  return {
    rows: [{ ...blankRow, open: { ...open, width } }, ...rows.slice(1)],
    cursor: cursor.row === 0 ? { row: 0, column: width } : cursor,
  }
}

/** Synchronized output (DECSET 2026): the terminal shows all of it at once. Others ignore it. */
function inOneStep(sequence: string): string {
  return `\u001b[?2026h${sequence}\u001b[?2026l`
}

/** The last row of a text is open: a terminal that draws it wider must not wrap it yet. */
function guarded(text: string, open: OpenRow): string {
  if (open.isCertain) return text
  const start = text.lastIndexOf('\n') + 1
  return `${text.slice(0, start)}${withoutWrap(text.slice(start))}`
}

const eraseToLineEnd = '\u001b[K'
const eraseBelow = '\u001b[J'

/** Moves the cursor down, or up for a negative number. */
function moveRows(rows: number): string {
  const count = Math.abs(rows)
  return rows === 0 ? '' : `\u001b[${count === 1 ? '' : count}${rows < 0 ? 'A' : 'B'}`
}

/** The columns of the terminal before and after a resize. */
interface ColumnChange {
  readonly before: number
  readonly after: number
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
function eraseReflowedSequence(frame: Frame, columns: ColumnChange, env: Io['env']): string {
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
function drawSequence(frame: Frame): string {
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

function withoutWrap(sequence: string): string {
  return `\u001b[?7l${sequence}\u001b[?7h`
}

/** At its start. A row that continues a wrapped line is left as it is, as erasing would end that line. */
function eraseOpenRow({ isContinued }: OpenRow): string {
  return isContinued ? '' : eraseToLineEnd
}

/**
 * What turns one row into another: the text that is written from a column on, and the column of the cursor afterwards, if it
 * is certain. A row is erased from its start, before it is drawn: tmux wraps the rest of a longer row, erased from elsewhere,
 * when its window is made narrower.
 */
function changeOf(old: FrameRow, row: FrameRow): { from: number; text: string; to: number | undefined } | undefined {
  if (old.lead === row.lead && old.text === row.text) return undefined
  const isCertain = row.open?.isCertain ?? isPlain(row.text)
  const to = isCertain ? rowWidth(row) : undefined
  if (row.open && old.open && row.text.startsWith(old.text)) {
    const added = row.text.slice(old.text.length)
    // A combining mark joins only the character that was written just before it.
    const isAppended = isCertain && old.open.isCertain && hasCertainWidth(added)
    if (isAppended) return { from: rowWidth(old), text: added, to }
  }
  const erased = row.open ? eraseOpenRow(row.open) : eraseToLineEnd
  return { from: 0, text: erased + row.lead + row.text, to }
}

/** Whether a text is printable ASCII. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text)
}
