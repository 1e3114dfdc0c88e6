import { setImmediate } from 'node:timers/promises'

/**
 * Calls back when the signal aborts, or now if it has: a listener would not be called any more. The only place that adds one.
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** In milliseconds: how long signals may wait while files are read, or texts are written, one after the other. */
const longestBlock = 50

/** When the event loop last turned for one of those who wait for it, as `performance.now()`. */
let turnedAt = 0

/**
 * Now and then waits for the event loop to turn, which handles signals. To be awaited within loops of synchronous work.
 * @throws the signal's reason if it has aborted meanwhile.
 */
export async function turn(signal?: AbortSignal): Promise<void> {
  if (performance.now() - turnedAt <= longestBlock) return
  await setImmediate()
  turnedAt = performance.now()
  signal?.throwIfAborted()
}
