/** Reads single lines of a file, by the offsets where they start, or parts of it. */

import { readSync } from 'node:fs'

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
  read(offset: number): Buffer {
    for (let size = farSize; ; size *= 4) {
      const bytes = this.slice(offset, size)
      const end = bytes.indexOf(lineFeed)
      if (end !== -1) return bytes.subarray(0, end)
      if (bytes.length === 0) throw new Error(`no line at byte ${offset}`)
      // The last line of a file may have no end.
      if (bytes.length < size) return bytes
    }
  }

  /** Reads a part, valid until the next call. Shorter at the end of the file. @throws system errors */
  slice(offset: number, size: number): Buffer {
    if (offset < this.#start || offset + size > this.#start + this.#window.length) {
      // Nearly all rows of a run that was not resumed are.
      const isNear = Math.abs(offset - this.#start) < 2 * this.#nearSize
      // Requests that took longer than the row before are recorded later than it, others before.
      this.#start = isNear ? Math.max(0, offset - this.#nearSize / 8) : offset
      const length = Math.max(offset + size - this.#start, isNear ? this.#nearSize : 0)
      if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length)
      this.#window = this.#buffer.subarray(0, readSync(this.#file, this.#buffer, 0, length, this.#start))
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + size)
  }
}
