/** Frames drawn over each other on a terminal. */

import type { WriteStream } from 'node:tty'
import type { Sink } from '../io/io.ts'
import { foldTo } from './width.ts'

/** Makes the lines of a frame. Those wider than the terminal are foldTo, and those below its end left out. */
export type Frame = (columns: number) => readonly string[]

/** The alternate screen, which leaves what stood on the terminal alone and wraps nothing anew when its size changes. */
const enter = '\u001b[?1049h\u001b[?25l'
const leave = '\u001b[?25h\u001b[?1049l'
const home = '\u001b[H'
const eraseLine = '\u001b[K'
const eraseBelow = '\u001b[J'

/** In milliseconds: what a frame says of the time is never staler. */
const tick = 1000

export class Screen {
  readonly #sink: Sink
  readonly #stream: WriteStream
  readonly #timer: NodeJS.Timeout
  readonly #repaint = (): void => void this.#paint().catch(() => undefined)
  #frame: Frame = () => []
  #isWriting = false

  /** @param stream The sink's own. */
  static async open(sink: Sink, stream: WriteStream): Promise<Screen> {
    await sink.write(enter)
    return new Screen(sink, stream)
  }

  private constructor(sink: Sink, stream: WriteStream) {
    this.#sink = sink
    this.#stream = stream
    this.#timer = setInterval(this.#repaint, tick)
    stream.on('resize', this.#repaint)
  }

  /** Shows a frame, which is made anew each second and whenever the terminal's size changes. */
  async show(frame: Frame): Promise<void> {
    this.#frame = frame
    await this.#paint()
  }

  /** Gives the terminal back as it was. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stream.off('resize', this.#repaint)
    await this.#sink.write(leave)
  }

  /** In one write, over what stands there, so that nothing flickers; only what is left over is erased. */
  async #paint(): Promise<void> {
    // A terminal that was halted (Ctrl-S) must not be sent ever more.
    if (this.#isWriting) return
    const { columns, rows } = this.#stream
    // After a character in the last column the cursor stands on it, and would erase it.
    const width = Math.max(1, columns - 1)
    const lines = this.#frame(width).flatMap((line) => foldTo(line, width))
    const text = lines.slice(0, rows).join(`${eraseLine}\n`)
    this.#isWriting = true
    await this.#sink.write(`${home}${text}${eraseLine}${eraseBelow}`).finally(() => (this.#isWriting = false))
  }
}
