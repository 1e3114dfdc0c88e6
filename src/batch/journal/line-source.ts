/** Reads single lines of a file, by the offsets where they start, or parts of it. */

import { read } from 'node:fs'
import { promisify } from 'node:util'

const readAt = promisify(read)
const lineFeed = 0x0a

/** In bytes, read at once after a jump. */
const farSize = 8 * 1024

export class LineSource {
  readonly #file: number
  readonly #nearSize: number
  /** Kept, as many buffers would fill the memory until they are collected. */
  #buffer: Buffer
  #window: Buffer
  #start = 0

  /** @param nearSize In bytes, read at once except after a jump. */
  constructor(file: number, nearSize = 512 * 1024) {
    this.#file = file
    this.#nearSize = nearSize
    this.#buffer = Buffer.allocUnsafe(nearSize)
    this.#window = this.#buffer.subarray(0, 0)
  }

  /**
   * @returns the line without its end, valid until the next call.
   * @throws system errors; Error beyond the end of the file.
   */
  async read(offset: number): Promise<Buffer> {
    const known = this.#find(offset)
    if (known) return known
    // Nearly all rows of a run that was not resumed are.
    const isNear = Math.abs(offset - this.#start) < 2 * this.#nearSize
    // Requests that took longer than the row before are recorded later than it, others before.
    const start = isNear ? Math.max(0, offset - this.#nearSize / 8) : offset
    for (let size = isNear ? this.#nearSize : farSize; ; size *= 4) {
      if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await readAt(this.#file, this.#buffer, 0, size, start)
      this.#window = this.#buffer.subarray(0, bytesRead)
      this.#start = start
      const line = this.#find(offset)
      if (line) return line
      // The last line of a file may have no end.
      if (bytesRead < size && bytesRead > 0 && offset < start + bytesRead) return this.#window.subarray(offset - start)
      if (bytesRead < size) throw new Error(`no line at byte ${offset}`)
    }
  }

  /** Reads a part, valid until the next call. Shorter at the end of the file. @throws system errors */
  async slice(offset: number, size: number): Promise<Buffer> {
    const at = offset - this.#start
    if (at < 0 || at + size > this.#window.length) {
      const length = Math.max(size, this.#nearSize)
      if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length)
      const { bytesRead } = await readAt(this.#file, this.#buffer, 0, length, offset)
      this.#window = this.#buffer.subarray(0, bytesRead)
      this.#start = offset
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + size)
  }

  #find(offset: number): Buffer | undefined {
    const at = offset - this.#start
    if (at < 0 || at >= this.#window.length) return undefined
    const end = this.#window.indexOf(lineFeed, at)
    return end === -1 ? undefined : this.#window.subarray(at, end)
  }
}
