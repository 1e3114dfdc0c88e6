/**
 * What undici gets in place of a connection's socket, because some connections end the process or lose text:
 * - When one ends while undici's parser is paused, an assertion fails (undici's issue 5360): the end comes after all data.
 * - At `100 Continue`, which a service or proxy may send without being asked (RFC 9110, section 15.2), undici 7 closes the
 *   connection, but skips 102: 100 is changed to 102.
 * - At a 101 without the headers of an upgrade, another assertion fails: each 101 ends the connection.
 */

import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** With the last digit of the status. */
const informationalStart = /^HTTP\/1\.\d 10(\d)/
const sampleStart = 'HTTP/1.1 100'
const headEnd = '\r\n\r\n'
const nothing = Buffer.alloc(0)

/** In bytes, as undici's. A longer head is passed on unchanged, and undici refuses it. */
const maxHead = 16 * 1024

/** Has what undici uses of a socket when a request's body is a string. */
export class ReplySocket extends Readable {
  readonly #socket: Socket
  #error: Error | undefined
  /** Whether undici has taken all that arrived, so that its parser is not paused. */
  #isWanted = false
  /** Bytes that may start an informational reply (status 100 to 103). `undefined` once the reply itself has started. */
  #mayBeInformational: Buffer | undefined

  constructor(socket: Socket) {
    // With 0, `_read` is called only when all data was taken.
    super({ highWaterMark: 0 })
    this.#socket = socket
    // The first error counts: a server that wants a client certificate says so after the handshake of TLS 1.3, and then ends the
    // connection.
    socket.on('error', (error: Error) => (this.#error ??= error))
    for (const event of ['readable', 'end', 'error', 'close']) socket.on(event, () => this.#passOn())
  }

  override _read(): void {
    this.#isWanted = true
    this.#passOn()
  }

  override _destroy(error: Error | null, onDestroyed: (error: Error | null) => void): void {
    this.#socket.destroy()
    onDestroyed(error)
  }

  /** undici sends one request at a time: what arrives next is the reply to it. */
  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    this.#mayBeInformational ??= nothing
    return this.#socket.write(chunk, encoding)
  }

  cork(): void {
    this.#socket.cork()
  }

  uncork(): void {
    this.#socket.uncork()
  }

  ref(): void {
    this.#socket.ref()
  }

  unref(): void {
    this.#socket.unref()
  }

  #passOn(): void {
    if (!this.#isWanted) return
    const chunk = this.#socket.read() as Buffer | null
    if (chunk !== null) {
      const bytes = this.#mayBeInformational ? this.#withoutContinue(this.#mayBeInformational, chunk) : chunk
      if (bytes.length === 0) return
      this.#isWanted = false
      this.push(bytes)
    } else if (this.#socket.readableEnded) {
      this.push(null)
    } else if (this.#error || this.#socket.destroyed) {
      // When undici reads on after a pause, its parser may still have the end of a reply, which must come first.
      queueMicrotask(() => this.destroy(this.#error))
    }
  }

  /** @returns all but what may start an informational reply. */
  #withoutContinue(before: Buffer, chunk: Buffer): Buffer {
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    for (let at = 0; ;) {
      const start = bytes.toString('latin1', at, at + sampleStart.length)
      const digit = informationalStart.exec(start + sampleStart.slice(start.length))?.[1]
      const end = digit === undefined ? -1 : bytes.indexOf(headEnd, at)
      const isTooLong = end === -1 && bytes.length - at > maxHead
      if (digit === '1') this.destroy(new Error('bad upgrade'))
      if (digit === undefined || digit === '1' || isTooLong) {
        this.#mayBeInformational = undefined
        return bytes
      }
      if (end === -1) {
        this.#mayBeInformational = bytes.subarray(at)
        return bytes.subarray(0, at)
      }
      if (digit === '0') bytes.write('2', at + sampleStart.length - 1)
      at = end + headEnd.length
    }
  }
}
