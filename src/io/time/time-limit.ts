/** Ends work that takes too long: synchronous work, such as a regular expression that backtracks for years, only V8 itself can. */

import { createContext, Script } from 'node:vm'
import { FailedError } from '../../errors.ts'
import { pluralize } from '../text/plural.ts'
import { yieldToEventLoop } from './abort-signal.ts'
import { startTimer } from './time.ts'

/**
 * In milliseconds: while the work runs, no signal is handled, and the sandbox serves nobody else. Twice, as a busy machine may
 * be slow once, and code is slow when it runs for the first time.
 */
const limits = [200, 400]

export class TimeLimitError extends Error {}

const context = createContext({ work: undefined as (() => unknown) | undefined })
const script = new Script('work()')

/**
 * Does work that has no effects besides its result.
 * @throws TimeLimitError if it takes longer than 200 ms, and then than 400 ms; the signal's reason if it aborts in between.
 */
export async function withinTimeLimit<Result>(work: () => Result, signal?: AbortSignal): Promise<Result> {
  for (const timeout of limits) {
    try {
      context.work = work
      return script.runInContext(context, { timeout }) as Result
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      context.work = undefined
    }
    await yieldToEventLoop(signal)
  }
  throw new TimeLimitError(`it takes longer than ${limits.at(-1)} ms`)
}

/** Gives work up after its time, in seconds. @throws FailedError if the time was over; the reason of the signal. */
export async function withinSeconds<Result>(
  timeout: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const tooLong = new AbortController()
  const error = new FailedError(`no result within ${pluralize(timeout, 'second')}`)
  using _timer = startTimer(timeout * 1000, () => tooLong.abort(error))
  const stop = AbortSignal.any([signal, tooLong.signal])
  try {
    return await work(stop)
  } catch (error) {
    throw stop.aborted ? stop.reason : error
  }
}
