/** A line of a terminal that is redrawn in place, below what is written meanwhile, such as a progress bar for long work. */

import type { Io } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/timer.ts'
import { reflowsCursorRow } from './reflow.ts'

/** In milliseconds: nothing is shown of what takes no longer. */
export const activityDelay = 150

/** In columns: a terminal shows Ctrl-C as ^C, and no line may reach the last column. */
const spareColumns = 3

export interface LiveLine {
  draw(): void
  /** Erases the line, so that another one can be written. `draw` shows it again below. */
  clear(): void
  /** Erases the line for good. */
  stop(): void
}

/** What a line says at present. */
export interface LineText {
  readonly text: SafeText
  /** In columns. */
  readonly width: number
}

export interface LiveLineDeps {
  readonly io: Io
  /** They appear on the same terminal: the line is erased before each. */
  readonly notices: { readonly isQuiet: boolean; beforeWrite: (() => void) | undefined }
}

/**
 * @param lineFor Makes a text that is no wider than the columns.
 * @returns `undefined` if standard error is not a terminal that can erase a line, or with `--quiet`.
 */
export function startLiveLine(
  lineFor: (columns: number) => LineText,
  { io, notices }: LiveLineDeps,
): LiveLine | undefined {
  const { err } = io
  if (!err.isTerminal || notices.isQuiet || io.env.TERM === 'dumb') return undefined
  let isDue = false
  let drawn: LineText | undefined
  const write = (line: LineText | undefined): void => {
    // A terminal that was made narrower may have wrapped the line.
    const rows = drawn && reflowsCursorRow(io.env) ? Math.ceil(drawn.width / err.columns()) : 1
    drawn = line
    const toStart = safe`\r${safe`\u001b[K\u001b[A`.repeat(Math.max(0, rows - 1))}`
    // main.ts handles failed writes, by ending the run.
    void err.write(safe`${toStart}${line?.text ?? noText}\u001b[K`).catch(() => undefined)
  }
  const draw = (): void => {
    if (isDue) write(lineFor(Math.max(0, err.columns() - spareColumns)))
  }
  const clear = (): void => {
    if (drawn) write(undefined)
  }
  const timer = startTimer(activityDelay, () => {
    isDue = true
    draw()
  })
  const stop = (): void => {
    clearTimeout(timer)
    isDue = false
    clear()
  }
  notices.beforeWrite = clear
  return { draw, clear, stop }
}

export interface Progress extends LiveLine {
  advance(done: number): void
}

const widestBar = 30
const narrowestBar = 5

/** @param total How many texts there are; `undefined` if that is not known. @returns `undefined` as `startLiveLine`. */
export function startProgress(total: number | undefined, deps: LiveLineDeps): Progress | undefined {
  const { elapsed } = deps.io
  const started = elapsed()
  let done = 0
  const line = startLiveLine((columns) => asLine(progressLine(total, done, elapsed() - started, columns)), deps)
  const advance = (count: number): void => {
    done = count
    line?.draw()
  }
  return line && { ...line, advance }
}

/** @param text Of characters that take a column each. */
export function asLine(text: string): LineText {
  return { text: sanitizeName(text), width: text.length }
}

/** @param elapsed In milliseconds. @returns a line of at most as many columns. */
export function progressLine(total: number | undefined, done: number, elapsed: number, columns: number): string {
  if (total === undefined) return `${done} texts`.slice(0, columns)
  const left = done === 0 ? '' : ` · ${roughDuration((elapsed / done) * (total - done))} left`
  const words = `${done} of ${total} texts${left}`
  const width = Math.min(widestBar, columns - words.length - 1)
  if (width < narrowestBar) return words.slice(0, columns)
  const filled = Math.floor((done / total) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words}`
}

/** `45 s`, `3 min`, `2 h`. @param length In milliseconds. */
export function roughDuration(length: number): string {
  const seconds = Math.ceil(length / 1000)
  if (seconds < 100) return `${seconds} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
