/** Ends synchronous work that takes too long, such as a regular expression that backtracks for years. Only V8 itself can. */

import { createContext, Script } from 'node:vm'
import { yieldToEventLoop } from './abort-signal.ts'

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
