/** A sign of life while somebody waits at a terminal. The only importer of ora, which is loaded only there. */

import type { WriteStream } from 'node:tty'
import type { Io } from '../io/io.ts'
import { wrapsCursorRow } from './reflow.ts'
import type { LoadStyle } from './style.ts'

export interface Spinner {
  /** Makes room for a line; the sign appears again below it. */
  clear(): void
  /** Says something else from now on. */
  say(text: string): void
  /** Takes the sign away. */
  stop(): void
  /** Has it appear again after a moment, if it isn't there, at the beginning of the line that the cursor is on. */
  resume(text: string): void
}

/** Notices stand on the same terminal: what is drawn makes room for each. */
export interface NoticeHook {
  /** Whether nothing but errors is to be seen. */
  readonly isQuiet: boolean
  /** Called before each notice. */
  beforeWrite: (() => void) | undefined
}

export interface WaitingDeps {
  readonly io: Io
  readonly notices: NoticeHook
  readonly loadStyle: LoadStyle
}

/**
 * @param text What is waited for, such as `waiting for the answer`.
 * @returns nothing where there is nobody to see it.
 */
export async function startWaiting(
  text: string,
  { io, notices, loadStyle }: WaitingDeps,
): Promise<Spinner | undefined> {
  const { stream } = io.err
  // A terminal that tells no width (some of `script`, `ssh -tt` and containers) has ora draw for ever.
  if (!io.out.isTerminal || !stream?.columns || notices.isQuiet || io.env.TERM === 'dumb') return undefined
  const { hasColor } = await loadStyle(io.err)
  const spinner = startSpinner({ stream, text, hasColor, wrapsAnew: wrapsCursorRow(io.env) })
  notices.beforeWrite = () => spinner.clear()
  return spinner
}

/** Shows the sign until the work is done. */
export async function waitFor<Result>(text: string, deps: WaitingDeps, work: () => Promise<Result>): Promise<Result> {
  const spinner = await startWaiting(text, deps)
  try {
    return await work()
  } finally {
    spinner?.stop()
  }
}

interface SpinnerOptions {
  /** Standard error as a stream; it must be a terminal that knows how to erase a line. */
  readonly stream: WriteStream
  readonly text: string
  readonly hasColor: boolean
  /** Whether the terminal wraps the line anew when it gets narrower. */
  readonly wrapsAnew: boolean
}

/** Quick answers never make it flash, in milliseconds. */
const delay = 150

/** Columns before the text. */
const sign = 2

/** Starts after a moment, so that a quick answer never makes it flash. */
function startSpinner({ stream, text, hasColor, wrapsAnew }: SpinnerOptions): Spinner {
  let drawn: { text: string; clear(): void; stop(): void } | undefined
  let said = text
  let timer: NodeJS.Timeout | undefined
  // ora erases as many rows as the line took when it was drawn.
  let eraseWrapped = (): void => undefined
  const start = (): void => {
    const mine = setTimeout(() => {
      void Promise.all([import('ora'), import('./width.ts')]).then(([{ default: ora }, { widthOf }]) => {
        if (timer !== mine) return
        eraseWrapped = () => {
          const rows = Math.floor((sign + widthOf(said) - 1) / stream.columns)
          if (rows > 0) stream.write(`\r\u001b[K${'\u001b[A\u001b[K'.repeat(rows)}`)
        }
        if (wrapsAnew) stream.on('resize', eraseWrapped)
        const color = hasColor ? 'cyan' : false
        // ora would hold standard input to swallow keys typed meanwhile; they are the shell's. Nor does it guess well
        // whether it is wanted: told that it is not, it prints its text all the same.
        drawn = ora({ text: said, stream, color, isEnabled: true, discardStdin: false, hideCursor: false }).start()
      })
    }, delay)
    timer = mine
  }
  const say = (next: string): void => {
    said = next
    if (drawn) drawn.text = next
  }
  start()
  return {
    clear: () => drawn?.clear(),
    say,
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      stream.off('resize', eraseWrapped)
      drawn?.stop()
      // Stopped once more it would erase the line that the answer stands on by now.
      drawn = undefined
    },
    resume: (next) => {
      say(next)
      if (!timer) start()
    },
  }
}
