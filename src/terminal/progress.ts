/** A progress bar for long work, redrawn on one line of a terminal. */

import type { Io, TerminalSink } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeName } from '../io/safe-text.ts'
import { startTimer } from '../io/timer.ts'
import type { NoticeHook } from './spinner.ts'

export interface Work {
  /** How much there is to do, counted in `unit`, such as `texts`; `undefined` if it is not known. */
  readonly total: number | undefined
  readonly unit: string
}

/** In milliseconds: no bar for work that is done before anyone could read it. */
const delay = 300

const widestBar = 30
const narrowestBar = 5

export class Progress {
  readonly #sink: TerminalSink
  readonly #work: Work
  readonly #now: () => number
  readonly #started: number
  readonly #timer: NodeJS.Timeout
  #done = 0
  #isDue = false
  #isDrawn = false

  /** @param sink A terminal that can erase a line. */
  constructor(sink: TerminalSink, work: Work, now: () => number) {
    this.#sink = sink
    this.#work = work
    this.#now = now
    this.#started = now()
    this.#timer = startTimer(delay, () => {
      this.#isDue = true
      this.#draw()
    })
  }

  advance(done: number): void {
    this.#done = done
    this.#draw()
  }

  /** Erases the bar, so that a line can be written. The next step draws it again below. */
  clear(): void {
    if (!this.#isDrawn) return
    this.#isDrawn = false
    this.#write(noText)
  }

  /** Erases the bar for good. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isDue = false
    this.clear()
  }

  #draw(): void {
    if (!this.#isDue) return
    this.#isDrawn = true
    const line = progressLine(this.#work, this.#done, this.#now() - this.#started, this.#sink.columns())
    this.#write(sanitizeName(line))
  }

  #write(line: SafeText): void {
    void this.#sink.write(safe`\r${line}\u001b[K`)
  }
}

/** @returns `undefined` if standard error is not a terminal, or with `--quiet`. */
export function startProgress(work: Work, { io, notices }: { io: Io; notices: NoticeHook }): Progress | undefined {
  if (!io.err.isTerminal || notices.isQuiet || io.env.TERM === 'dumb') return undefined
  const progress = new Progress(io.err, work, io.now)
  notices.beforeWrite = () => progress.clear()
  return progress
}

/** @param elapsed In milliseconds. @returns a line narrower than the terminal, so that it never wraps. */
export function progressLine({ total, unit }: Work, done: number, elapsed: number, columns: number): string {
  if (total === undefined) return `${done} ${unit}`.slice(0, columns - 1)
  const left = done === 0 ? '' : ` · ${duration((elapsed / done) * (total - done))} left`
  const words = `${done} of ${total} ${unit}${left}`
  const width = Math.min(widestBar, columns - words.length - 2)
  if (width < narrowestBar) return words.slice(0, columns - 1)
  const filled = Math.floor((done / total) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words}`
}

/** `45 s`, `3 min`, `2 h` */
function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 100) return `${seconds} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
