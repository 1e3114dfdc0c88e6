import type { Io } from '../../io/io.ts'
import type { Style } from '../style.ts'
import { difference, emptyFrame, erased } from './difference.ts'
import { drawFrame, drawSent, type Frame, type Size, type View } from './frame.ts'
import { rowsAbove } from './reflow.ts'

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
