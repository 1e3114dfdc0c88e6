/** A progress bar for long work, redrawn on one line of a terminal. */

import { type LiveLine, type LiveLineDeps, startLiveLine } from './live-line.ts'

export interface Work {
  /** How much there is to do, counted in `unit`, such as `texts`; `undefined` if it is not known. */
  readonly total: number | undefined
  readonly unit: string
}

export interface Progress extends LiveLine {
  advance(done: number): void
}

const widestBar = 30
const narrowestBar = 5

/** @returns `undefined` as `startLiveLine`. */
export function startProgress(work: Work, deps: LiveLineDeps): Progress | undefined {
  const { elapsed } = deps.io
  const started = elapsed()
  let done = 0
  const line = startLiveLine((columns) => progressLine(work, done, elapsed() - started, columns), deps)
  const advance = (count: number): void => {
    done = count
    line?.draw()
  }
  return line && { ...line, advance }
}

/** @param elapsed In milliseconds. @returns a line narrower than the terminal, so that it never wraps. */
export function progressLine({ total, unit }: Work, done: number, elapsed: number, columns: number): string {
  if (total === undefined) return `${done} ${unit}`.slice(0, columns - 1)
  const left = done === 0 ? '' : ` · ${roughDuration((elapsed / done) * (total - done))} left`
  const words = `${done} of ${total} ${unit}${left}`
  const width = Math.min(widestBar, columns - words.length - 2)
  if (width < narrowestBar) return words.slice(0, columns - 1)
  const filled = Math.floor((done / total) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words}`
}

/** `45 s`, `3 min`, `2 h`. @param length In milliseconds. */
export function roughDuration(length: number): string {
  const seconds = Math.ceil(length / 1000)
  if (seconds < 100) return `${seconds} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
