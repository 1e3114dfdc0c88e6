/**
 * What undici gets in place of a connection's socket, because some connections end the process or lose text:
 * - When one ends while undici's parser is paused, an assertion fails (undici's issue 5360): the end comes after all data.
 * - At `100 Continue`, which a service or proxy may send without being asked (RFC 9110, section 15.2), undici 7 closes the
 *   connection, but skips 102: 100 is changed to 102.
 * - At a 101 without the headers of an upgrade, another assertion fails: each 101 ends the connection.
 */

import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** The start of a status line with 100 to 109, whose last digit counts. */
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
  /** The incomplete head of an informational reply, or nothing yet. `undefined` once the reply itself has started. */
  #partOfHead: Buffer | undefined

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
    this.#partOfHead ??= nothing
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
      const bytes = this.#partOfHead ? this.#takeHeads(Buffer.concat([this.#partOfHead, chunk])) : chunk
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

  /** Changes each 100 to 102, and ends at a 101. @returns all but a head whose end has not arrived. */
  #takeHeads(bytes: Buffer): Buffer {
    let at = 0
    for (;;) {
      const head = informationalHead(bytes, at)
      if (head === 'incomplete') {
        this.#partOfHead = bytes.subarray(at)
        return bytes.subarray(0, at)
      }
      if (head?.digit === '1') this.destroy(new Error('bad upgrade'))
      if (head === undefined || head.digit === '1') {
        this.#partOfHead = undefined
        return bytes
      }
      if (head.digit === '0') bytes.write('2', at + sampleStart.length - 1)
      at = head.end
    }
  }
}

/** @returns `undefined` where another reply starts, or a head that is too long. */
function informationalHead(bytes: Buffer, at: number): { digit: string; end: number } | 'incomplete' | undefined {
  const start = bytes.toString('latin1', at, at + sampleStart.length)
  // What has not arrived yet may continue like the sample.
  const digit = informationalStart.exec(start + sampleStart.slice(start.length))?.[1]
  if (digit === undefined) return undefined
  const end = bytes.indexOf(headEnd, at)
  if (end !== -1) return { digit, end: end + headEnd.length }
  // A 101 counts at once.
  if (digit === '1') return { digit, end: bytes.length }
  return bytes.length - at > maxHead ? undefined : 'incomplete'
}
