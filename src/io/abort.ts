/**
 * Calls back when the signal aborts, or now if it has: a listener would not be called any more. The only place that adds one.
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
