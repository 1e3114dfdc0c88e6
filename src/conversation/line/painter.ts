import type { Io } from '../../io/io.ts'
import type { Style } from '../../render/style.ts'
import { difference, emptyFrame, erased } from './difference.ts'
import { drawFrame, drawSent, type Frame, type Size, type View } from './frame.ts'
import { rowsAbove } from './reflow.ts'
import {
  canBeWrapped,
  drawWrapped,
  isChangeWithinRows,
  isSameWrapped,
  isWrappedHere,
  rowsAboveCursor,
  unwrapped,
} from './wrapped.ts'

const clearScreen = '\u001b[H\u001b[2J'

/** Draws frames, each as little as differs from the last one, and in one write. */
export class Painter {
  readonly #io: Io
  readonly #style: Pick<Style, 'dim'>
  #frame: Frame | undefined
  /** Whether the terminal wraps the frame's lines. */
  #isWrapped = false
  #columns = 0

  constructor(io: Io, style: Pick<Style, 'dim'>) {
    this.#io = io
    this.#style = style
  }

  /** What is drawn first begins at the cursor, which must stand at the start of a line. */
  show(view: View): void {
    this.#takeWrapped(view)
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
    this.#write(erased(this.#rowsAbove(this.#frame, size.columns)) + lines)
    this.#frame = undefined
  }

  /** What was typed while the terminal was given away may have been echoed where the frame is to stand. */
  clearRow(): void {
    this.#write(erased(0))
  }

  #draw(view: View): string {
    const size = this.#size()
    const frame = drawFrame(view, size, this.#style.dim)
    const before = this.#frame
    this.#frame = frame
    this.#columns = size.columns
    const isWrapped = this.#isWrapped
    this.#isWrapped = isWrappedHere(this.#io.env) && canBeWrapped(frame)
    if (!isWrapped && !this.#isWrapped) return difference(before ?? emptyFrame, frame)
    if (before && isWrapped && this.#isWrapped && isChangeWithinRows(before, frame)) return difference(before, frame)
    const start = before ? erased(isWrapped ? rowsAboveCursor(before) : before.cursor.row) : ''
    return start + (this.#isWrapped ? drawWrapped(frame) : difference(emptyFrame, frame))
  }

  /** What the terminal has wrapped anew by itself already stands as it should. */
  #takeWrapped(view: View): void {
    const size = this.#size()
    if (this.#frame === undefined || !this.#isWrapped || size.columns === this.#columns) return
    const frame = drawFrame(view, size, this.#style.dim)
    if (!isSameWrapped(this.#frame, frame)) return
    this.#frame = frame
    this.#columns = size.columns
  }

  #rowsAbove(frame: Frame, columns: number): number {
    if (columns === this.#columns) return this.#isWrapped ? rowsAboveCursor(frame) : frame.cursor.row
    return rowsAbove(this.#isWrapped ? unwrapped(frame) : frame, columns, this.#io.env)
  }

  /** After a change of width the old frame is of no use. */
  #eraseStale(): string {
    const { columns } = this.#size()
    if (this.#frame === undefined || columns === this.#columns) return ''
    const sequence = erased(this.#rowsAbove(this.#frame, columns))
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
