/** The sign of life where somebody is waiting at a terminal. */

import type { Io } from '../io/io.ts'
import type { Notices } from '../notices.ts'
import { wrapsCursorRow } from './reflow.ts'
import { startSpinner, type Spinner } from './spinner.ts'
import { loadStyle } from './style.ts'

export interface Waiting {
  /** What is waited for, such as `waiting for the answer`. */
  readonly text: string
  readonly quiet?: boolean | undefined
  readonly color?: boolean | undefined
}

/** @returns nothing where there is nobody to see it. */
export async function startWaiting(
  { text, quiet, color }: Waiting,
  { io, notices }: { io: Io; notices: Notices },
): Promise<Spinner | undefined> {
  const { stream } = io.err
  // A terminal that tells no width (some of `script`, `ssh -tt` and containers) has ora draw for ever.
  if (!io.out.isTerminal || !stream?.columns || quiet || io.env.TERM === 'dumb') return undefined
  const { hasColor } = await loadStyle(io, io.err, color)
  const spinner = startSpinner({ stream, text, hasColor, wrapsAnew: wrapsCursorRow(io.env) })
  notices.beforeSaying = () => spinner.clear()
  return spinner
}

/** Shows the sign until the work is done. */
export async function waitFor<Result>(
  work: () => Promise<Result>,
  waiting: Waiting,
  surroundings: { io: Io; notices: Notices },
): Promise<Result> {
  const spinner = await startWaiting(waiting, surroundings)
  try {
    return await work()
  } finally {
    spinner?.stop()
  }
}
