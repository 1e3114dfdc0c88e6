/** A line of a terminal that is redrawn in place, below what is written meanwhile. */

import type { Io } from '../io/io.ts'
import { noText, safe, type SafeText, sanitizeName } from '../io/safe-text.ts'
import { startTimer } from '../io/timer.ts'
import type { NoticeHook } from './spinner.ts'

/** In milliseconds: no line for work that is done before anyone could read it. */
const delay = 300

export interface LiveLine {
  draw(): void
  /** Erases the line, so that another one can be written. `draw` shows it again below. */
  clear(): void
  /** Erases the line for good. */
  stop(): void
}

export interface LiveLineDeps {
  readonly io: Io
  readonly notices: NoticeHook
}

/**
 * @param text What the line says at present, narrower than the columns, so that it never wraps.
 * @returns `undefined` if standard error is not a terminal that can erase a line, or with `--quiet`.
 */
export function startLiveLine(text: (columns: number) => string, { io, notices }: LiveLineDeps): LiveLine | undefined {
  const { err } = io
  if (!err.isTerminal || notices.isQuiet || io.env.TERM === 'dumb') return undefined
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
  }
  notices.beforeWrite = clear
  return { draw, clear, stop }
}
