/** A line of a terminal that is redrawn in place, below what is written meanwhile. */

import type { Io, TerminalSink } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeName } from '../io/safe-text.ts'
import { startTimer } from '../io/timer.ts'
import type { NoticeHook } from './spinner.ts'

/** In milliseconds: no line for work that is done before anyone could read it. */
const delay = 300

export class LiveLine {
  readonly #sink: TerminalSink
  readonly #text: (columns: number) => string
  readonly #timer: NodeJS.Timeout
  #isDue = false
  #isDrawn = false

  /**
   * @param sink A terminal that can erase a line.
   * @param text What the line says at present, narrower than the columns, so that it never wraps.
   */
  constructor(sink: TerminalSink, text: (columns: number) => string) {
    this.#sink = sink
    this.#text = text
    this.#timer = startTimer(delay, () => {
      this.#isDue = true
      this.draw()
    })
  }

  draw(): void {
    if (!this.#isDue) return
    this.#isDrawn = true
    this.#write(sanitizeName(this.#text(this.#sink.columns())))
  }

  /** Erases the line, so that another one can be written. `draw` shows it again below. */
  clear(): void {
    if (!this.#isDrawn) return
    this.#isDrawn = false
    this.#write(noText)
  }

  /** Erases the line for good. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isDue = false
    this.clear()
  }

  #write(line: SafeText): void {
    void this.#sink.write(safe`\r${line}\u001b[K`)
  }
}

export interface LiveLineDeps {
  readonly io: Io
  readonly notices: NoticeHook
}

/** @returns `undefined` if standard error is not a terminal that can erase a line, or with `--quiet`. */
export function startLiveLine(text: (columns: number) => string, { io, notices }: LiveLineDeps): LiveLine | undefined {
  if (!io.err.isTerminal || notices.isQuiet || io.env.TERM === 'dumb') return undefined
  const line = new LiveLine(io.err, text)
  notices.beforeWrite = () => line.clear()
  return line
}
