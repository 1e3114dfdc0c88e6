import { onAbort } from '../io/time/abort-signal.ts'

/** Serves some requests at a time; the others wait, in the order in which they came. */
export class Queue {
  readonly #limit: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Waits for a request's turn.
   * @param ended Aborted when the reply is complete, or the client gone: then the next request has its turn.
   * @throws the reason of `ended` if the client left the queue.
   */
  async enter(ended: AbortSignal): Promise<void> {
    if (this.#running < this.#limit) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    onAbort(ended, () => this.#leave())
    ended.throwIfAborted()
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}
