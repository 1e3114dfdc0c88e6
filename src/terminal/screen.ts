/** A full-screen view that is redrawn in place, on the alternate screen. */

import type { TerminalSink, TerminalWindow } from '../io/io.ts'
import { joinSafe, safe, type SafeText } from '../io/safe-text.ts'
import { foldTo } from './width.ts'

/** Makes the lines to show. Lines wider than the terminal are wrapped; lines below its last row are not shown. */
export type RenderLines = (columns: number) => readonly SafeText[]

/** The alternate screen preserves the normal one, and is not reflowed when the terminal is resized. */
const enter = safe`\u001b[?1049h\u001b[?25l`
const leave = safe`\u001b[?25h\u001b[?1049l`
const home = safe`\u001b[H`
const eraseLine = safe`\u001b[K`
const eraseBelow = safe`\u001b[J`

/** In milliseconds: lines show the time left. */
const redrawInterval = 1000

export class Screen {
  readonly #sink: TerminalSink
  readonly #window: TerminalWindow
  readonly #timer: NodeJS.Timeout
  readonly #repaint = (): void => void this.#paint().catch(() => undefined)
  #render: RenderLines = () => []
  #isWriting = false

  static async open(sink: TerminalSink, window: TerminalWindow): Promise<Screen> {
    await sink.write(enter)
    return new Screen(sink, window)
  }

  private constructor(sink: TerminalSink, window: TerminalWindow) {
    this.#sink = sink
    this.#window = window
    this.#timer = setInterval(this.#repaint, redrawInterval)
    window.on('resize', this.#repaint)
  }

  /** Shows lines. They are rendered again every second, and when the terminal is resized. */
  async show(render: RenderLines): Promise<void> {
    this.#render = render
    await this.#paint()
  }

  /** Restores the terminal. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#window.off('resize', this.#repaint)
    await this.#sink.write(leave)
  }

  /** One write, over the previous lines and without clearing the screen first, so that nothing flickers. */
  async #paint(): Promise<void> {
    // While the terminal is stopped (Ctrl-S), no further writes are queued.
    if (this.#isWriting) return
    const { columns, rows } = this.#window
    // After a character in the last column the cursor is still on it, and would erase it.
    const width = Math.max(1, columns - 1)
    const lines = this.#render(width).flatMap((line) => foldTo(line, width))
    const text = joinSafe(lines.slice(0, rows), safe`${eraseLine}\n`)
    this.#isWriting = true
    await this.#sink.write(safe`${home}${text}${eraseLine}${eraseBelow}`).finally(() => (this.#isWriting = false))
  }
}
