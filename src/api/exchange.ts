/** Sends one request with undici. Its own `request()` makes a stream of Node, which takes longer to load and to read. */

import type { Dispatcher } from 'undici'
import { TimeoutError } from '../errors.ts'
import { startTimer } from '../io/time/time.ts'

export interface HttpReply {
  readonly status: number
  /** Names in lower case; repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** Yields all that has arrived since it was last read. Throws when the connection fails, after what arrived before. */
  readonly body: AsyncIterable<Uint8Array>
}

/** In milliseconds. */
const maxLeft = 1000

/** In bytes: what is received ahead of its reader. */
const highWaterMark = 64 * 1024

/** Freed when the reply has ended: keeping it alive for longer would cost a batch 2 % of its time. */
interface OpenRequest {
  readonly resolve: (reply: HttpReply) => void
  readonly reject: (error: Error) => void
  controller?: Dispatcher.DispatchController
}

/** One request and its reply. An AbortSignal to end it would take a tenth of the CPU time of a short request. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Set when the request is aborted. Only the first one counts. */
  reason: Error | undefined
  #open: OpenRequest | undefined
  /** Joined when they are read: one network read may bring a thousand small ones. */
  #chunks: Uint8Array[] = []
  #size = 0
  #end: { readonly error: Error | undefined } | undefined
  #wake: (() => void) | undefined
  readonly #origin: string
  readonly #onLeft: () => void
  #timer: NodeJS.Timeout | undefined
  /** Reason to abort if more arrives. */
  #left: Error | undefined

  /** @param origin Named in errors. @param onLeft Called when the request is aborted or left, perhaps again. */
  constructor(origin: string, onLeft: () => void) {
    this.#origin = origin
    this.#onLeft = onLeft
  }

  /**
   * Aborts the request when no data arrives for too long, unless it is aborted: nothing would stop the timer then, which would
   * keep the process alive.
   * @param timeout In milliseconds; 0: no limit.
   */
  startIdleTimer(timeout: number): void {
    if (timeout === 0 || this.reason) return
    this.#timer = startTimer(timeout, () => {
      const message = `${this.#origin}: no data for ${timeout / 1000} s`
      this.abort(new TimeoutError(message, { hint: 'use --timeout SECONDS to wait longer' }))
    })
  }

  stopIdleTimer(): void {
    clearTimeout(this.#timer)
  }

  /** @throws undici's errors; the reason of an abort, immediately: undici ignores it until it is connected. */
  send(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      if (this.reason) return reject(this.reason)
      this.#open = { resolve, reject }
      dispatcher.dispatch(options, this)
    })
  }

  /** Ends the request, also while the body is read. */
  abort(reason: Error): void {
    if (this.reason) return
    this.reason = reason
    this.#onLeft()
    this.#fail(reason)
  }

  /**
   * Ends a request whose answer is complete. Most services end it themselves a moment later, and the connection can be used
   * again then: it is not aborted unless more arrives, or nothing for a second.
   */
  leave(reason: Error): void {
    this.#onLeft()
    this.stopIdleTimer()
    if (!this.#open) return
    this.#left = reason
    this.#timer = startTimer(maxLeft, () => this.abort(reason)).unref()
    this.#open.controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#open) this.#open.controller = controller
    if (this.reason) controller.abort(this.reason)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim replies come before the one that counts.
    if (status < 200 || !this.#open) return
    this.#open.resolve({ status, headers: joinHeaders(headers), body: this.#read() })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // When undici is resumed, it passes on an empty chunk.
    if (chunk.length === 0) return
    if (this.#left) return this.abort(this.#left)
    this.#chunks.push(chunk)
    this.#size += chunk.length
    this.#wake?.()
    if (this.#size >= highWaterMark) controller.pause()
  }

  onResponseEnd(): void {
    this.#finish(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: Error): void {
    const open = this.#open
    this.#finish(error)
    open?.reject(error)
    open?.controller?.abort(error)
  }

  #finish(error: Error | undefined): void {
    this.stopIdleTimer()
    this.#open = undefined
    this.#end ??= { error }
    this.#wake?.()
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const [first, ...others] = this.#chunks
      if (first) {
        this.#chunks = []
        this.#size = 0
        // Before the chunks are used: by then the reply may be complete, and the connection free again.
        this.#open?.controller?.resume()
        yield others.length === 0 ? first : Buffer.concat([first, ...others])
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error
        return
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    }
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name of Object.keys(headers)) joined[name] = String(headers[name] ?? '')
  return joined
}
