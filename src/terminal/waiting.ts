/** The sign of life where somebody is waiting at a terminal. */

import type { Io } from '../io/io.ts'
import { wrapsCursorRow } from './reflow.ts'
import { startSpinner, type Spinner } from './spinner.ts'
import type { LoadStyle } from './style.ts'

/** Notices stand on the same terminal: what is drawn makes room for each. */
export interface NoticeHook {
  /** Whether nothing but errors is to be seen. */
  readonly isQuiet: boolean
  /** Called before each notice. */
  beforeSaying: (() => void) | undefined
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
  notices.beforeSaying = () => spinner.clear()
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
