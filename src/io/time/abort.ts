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
export const longestTurn = 50

/**
 * When the event loop last turned for one of those who wait for it. By the wall clock, as the other one takes longer to load
 * than help to print; when it is set, one more turn does no harm.
 */
let turnedAt = 0

/** Whether the event loop has not turned for long. */
export function isTurnOver(): boolean {
  return Math.abs(Date.now() - turnedAt) > longestTurn
}

/**
 * Waits for the event loop to turn, which handles signals. Writing to a file does not start a new turn.
 * @throws the signal's reason if it has aborted meanwhile.
 */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  await setImmediate()
  turnedAt = Date.now()
  signal?.throwIfAborted()
}

/** Now and then waits for the next turn. To be awaited within loops of synchronous work. @throws as `nextTurn`. */
export function turn(signal?: AbortSignal): Promise<void> | undefined {
  return isTurnOver() ? nextTurn(signal) : undefined
}
