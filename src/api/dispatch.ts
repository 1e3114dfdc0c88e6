/** Dispatches one request with undici. Its own `request()` makes a stream of Node, which takes longer to load and to read. */

import type { Dispatcher } from 'undici'
import { startTimer } from '../io/time/timer.ts'
import { currentFlow, type ReplyFlow } from './flow-control.ts'

export interface HttpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Yields all that has arrived since it was last read. Throws when the connection fails, after what arrived before. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Ends one request. An AbortSignal would take a tenth of the CPU time of a short request. */
export class Abort {
  /** Set when the request is aborted. Only the first one counts. */
  reason: Error | undefined
  #exchange: { readonly fail: (reason: Error) => void; readonly resume: () => void } | undefined
  #left: { readonly reason: Error; readonly timer: NodeJS.Timeout } | undefined

  abort(reason: Error): void {
    if (this.reason) return
    this.reason = reason
    this.#exchange?.fail(reason)
  }

  /**
   * Ends a request whose answer is complete. Most services end it themselves a moment later, and the connection can be used
   * again then: it is not aborted unless more arrives, or nothing for a second.
   */
  leave(reason: Error): void {
    if (!this.#exchange || this.reason) return
    this.#left = { reason, timer: startTimer(maxLeft, () => this.abort(reason)).unref() }
    this.#exchange.resume()
  }

  /** For `dispatch`. */
  start(exchange: { readonly fail: (reason: Error) => void; readonly resume: () => void }): void {
    this.#exchange = exchange
  }

  /** For `dispatch`: data arrived. @returns whether it is to be read. */
  takesData(): boolean {
    if (this.#left) this.abort(this.#left.reason)
    return !this.#left
  }

  /** For `dispatch`. */
  end(): void {
    clearTimeout(this.#left?.timer)
    this.#exchange = undefined
  }
}

/** In milliseconds. */
const maxLeft = 1000

/**
 * @param abort Aborts the request, also while the body is read.
 * @throws undici's errors; the reason of the abort, immediately: undici ignores it until it is connected.
 */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  abort: Abort,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    if (abort.reason) return reject(abort.reason)
    let controller: Dispatcher.DispatchController | undefined
    let flow: ReplyFlow | undefined
    const resume = (): void => flow?.release()
    const body = new Body(resume)
    abort.start({ fail, resume })
    function fail(error: Error): void {
      abort.end()
      reject(error)
      body.end(error)
      controller?.abort(error)
    }
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        if (abort.reason) started.abort(abort.reason)
      },
      onResponseStart(_controller, status, headers) {
        // Interim replies come before the one that counts.
        if (status < 200) return
        flow = currentFlow()
        resolve({ status, headers, body: body.chunks() })
      },
      onResponseData(_controller, chunk) {
        if (abort.takesData() && !body.push(chunk)) flow?.hold()
      },
      onResponseEnd() {
        flow?.forget()
        abort.end()
        body.end()
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    })
  })
}

/** In bytes: what is received ahead of its reader. */
const highWaterMark = 64 * 1024

/** Joins what arrives until it is read: one network read may bring a thousand small chunks. */
class Body {
  readonly #resume: () => void
  #chunks: Uint8Array[] = []
  #size = 0
  #end: { readonly error: Error | undefined } | undefined
  #wake: (() => void) | undefined

  constructor(resume: () => void) {
    this.#resume = resume
  }

  /** @returns whether there is room for more. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    this.#wake?.()
    return this.#size < highWaterMark
  }

  /** Only the first call counts. */
  end(error?: Error): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const [first, ...others] = this.#chunks
      if (first) {
        this.#chunks = []
        this.#size = 0
        yield others.length === 0 ? first : Buffer.concat([first, ...others])
        this.#resume()
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error
        return
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    }
  }
}
