/** A line of a terminal that is redrawn in place, below what is written meanwhile, such as the progress of long work. */

import { noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/time.ts'
import type { SpinnerDeps } from './spinner.ts'

/** In milliseconds: no line for work that is done before anyone could read it. */
const delay = 300

interface LiveLine {
  draw(): void
  /** Erases the line, so that another one can be written. `draw` shows it again below. */
  clear(): void
  /** Erases the line for good. */
  stop(): void
}

export type LiveLineDeps = Pick<SpinnerDeps, 'io' | 'notices'>

/**
 * @param text What the line says at present, narrower than the columns, so that it never wraps.
 * @returns `undefined` if standard error is not a terminal that can erase a line, or with `--quiet`. In the chat it is the row
 *   of what is waited for.
 */
export function startLiveLine(text: (columns: number) => string, { io, notices }: LiveLineDeps): LiveLine | undefined {
  const { err } = io
  if (!err.isTerminal || notices.isQuiet || io.isPlain?.()) return undefined
  if (err.footer) {
    const { setText, stop } = err.footer.showActivity(noText)
    return { draw: () => setText(sanitizeName(text(err.columns()))), clear: () => undefined, stop }
  }
  const before = notices.beforeWrite
  let isDue = false
  let isDrawn = false
  const write = (line: SafeText): void => void err.write(safe`\r${line}\u001b[K`)
  const draw = (): void => {
    if (!isDue) return
    isDrawn = true
    write(sanitizeName(text(err.columns())))
  }
  const clear = (): void => {
    if (isDrawn) write(noText)
    isDrawn = false
  }
  const timer = startTimer(delay, () => {
    isDue = true
    draw()
  })
  const stop = (): void => {
    clearTimeout(timer)
    isDue = false
    clear()
    notices.beforeWrite = before
  }
  notices.beforeWrite = clear
  return { draw, clear, stop }
}

/** @param total How many texts there are; `undefined` if that is not known. @returns `undefined` as `startLiveLine`. */
export function startProgress(total: number | undefined, deps: LiveLineDeps) {
  const { elapsed } = deps.io
  const started = elapsed()
  let done = 0
  const line = startLiveLine((columns) => progressLine(total, done, elapsed() - started, columns), deps)
  const advance = (count: number): void => {
    done = count
    line?.draw()
  }
  return line && { ...line, advance }
}

/** @param elapsed In milliseconds. @returns a line narrower than the terminal, so that it never wraps. */
export function progressLine(total: number | undefined, done: number, elapsed: number, columns: number): string {
  if (total === undefined) return `${done} texts`.slice(0, columns - 1)
  const left = done === 0 ? '' : ` · ${roughDuration((elapsed / done) * (total - done))} left`
  return `${done} of ${total} texts${left}`.slice(0, columns - 1)
}

/** `45 s`, `3 min`, `2 h`. @param length In milliseconds. */
export function roughDuration(length: number): string {
  const seconds = Math.ceil(length / 1000)
  if (seconds < 100) return `${seconds} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
