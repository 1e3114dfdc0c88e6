import { onAbort } from '../io/time/abort-signal.ts'

/**
 * Serves some requests at a time; the others wait, in the order in which they came.
 * @returns a function that waits for a request's turn. `ended` is aborted when the reply is complete, or the client gone: then
 *   the next request has its turn. It throws the reason of `ended` if the client left the queue.
 */
export function createQueue(limit: number): (ended: AbortSignal) => Promise<void> {
  let running = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return async (ended) => {
    if (running < limit) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    onAbort(ended, leave)
    ended.throwIfAborted()
  }
}
