/** Ctrl-C and other signals: who listens to them, and when they are handled during long work. */

import { setImmediate } from 'node:timers/promises'

/**
 * Calls back when the signal aborts, or now if it has: a listener would not be called any more. The only place that adds one.
 * @returns a function that removes the listener, as the end of a block does that has it in `using`.
 */
export function onAbort(signal: AbortSignal, callback: () => void): (() => void) & Disposable {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
  const remove = (): void => signal.removeEventListener('abort', callback)
  return Object.assign(remove, { [Symbol.dispose]: remove })
}

/** In milliseconds: how long signals may wait for work that is done at once, such as files that are read one after the other. */
export const longestSlice = 50

/**
 * When the event loop last ran for `yieldToEventLoop`. By the wall clock, as the other one takes longer to load than help to
 * print; when it is set, yielding once more does no harm.
 */
let yieldedAt = 0

/**
 * Lets the event loop handle signals, which writing to a file does not.
 * @throws the signal's reason if it has aborted meanwhile.
 */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await setImmediate()
  yieldedAt = Date.now()
  signal?.throwIfAborted()
}

/** Yields if the slice is over. To be awaited within loops of synchronous work. @throws as `yieldToEventLoop`. */
export function yieldIfDue(signal?: AbortSignal): Promise<void> | undefined {
  return Math.abs(Date.now() - yieldedAt) > longestSlice ? yieldToEventLoop(signal) : undefined
}
