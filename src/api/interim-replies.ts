/**
 * Passes on what a connection receives so that undici skips `100 Continue`, which a service or proxy may send without being asked
 * (RFC 9110, section 15.2). undici 7 closes the connection then, but skips 102 and 103, so it gets 102 instead. At a 101 without
 * the headers of an upgrade, an assertion of its fails, which ends the process.
 */

/** The start of an interim reply. */
const proceed = 'HTTP/1.1 100'
const headEnd = '\r\n\r\n'

export class InterimReplies {
  readonly #onSwitch: () => void
  #part: 'start' | 'interim head' | 'reply' = 'start'
  /** The start of a status, or perhaps of the end of a head. */
  #held: Buffer = Buffer.alloc(0)

  /** @param onSwitch Called for a switch to another protocol. Nothing is passed on after it. */
  constructor(onSwitch: () => void) {
    this.#onSwitch = onSwitch
  }

  /** The reply has ended: the next one may have interim replies before it. */
  expectReply(): void {
    this.#part = 'start'
  }

  /** @returns what to pass on, which may be changed in place; `null` for nothing yet. */
  filter(chunk: Buffer): Buffer | null {
    if (this.#part === 'reply') return chunk
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let at = 0
    while (at < bytes.length) {
      const next = this.#part === 'start' ? this.#readStart(bytes, at) : this.#readHead(bytes, at)
      if (next === undefined) break
      at = next
    }
    this.#held = bytes.subarray(at)
    return at === 0 ? null : bytes.subarray(0, at)
  }

  /** @returns how far the bytes are known; `undefined` if more must come. */
  #readStart(bytes: Buffer, at: number): number | undefined {
    const start = bytes.toString('latin1', at, at + proceed.length)
    const [, digit] = /^HTTP\/1\.\d 10(\d)/.exec(start + proceed.slice(start.length)) ?? []
    if (digit === undefined) {
      this.#part = 'reply'
      return bytes.length
    }
    if (start.length < proceed.length) return undefined
    if (digit === '1') {
      this.#onSwitch()
      return undefined
    }
    if (digit === '0') bytes.write('2', at + proceed.length - 1)
    this.#part = 'interim head'
    return at + proceed.length
  }

  #readHead(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(headEnd, at)
    if (end === -1) {
      const known = bytes.length - headEnd.length + 1
      return known > at ? known : undefined
    }
    this.#part = 'start'
    return end + headEnd.length
  }
}
