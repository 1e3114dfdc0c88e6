/** Reads single lines of a file, by the offsets where they start. */

import { read } from 'node:fs'
import { promisify } from 'node:util'

const readAt = promisify(read)
const lineFeed = 0x0a

/** In bytes. What is near was probably written near: nearly all rows of a run that was not resumed. */
const nearSize = 512 * 1024
/** In bytes, read at once after a jump. */
const farSize = 8 * 1024

export class RecordSource {
  readonly #file: number
  #window: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: number) {
    this.#file = file
  }

  /**
   * @returns the line without its end, valid until the next call.
   * @throws system errors; Error if it is incomplete.
   */
  async read(offset: number): Promise<Buffer> {
    const known = this.#find(offset)
    if (known) return known
    const isNear = Math.abs(offset - this.#start) < 2 * nearSize
    // Requests that took longer than the row before are recorded later than it, others before.
    const start = isNear ? Math.max(0, offset - nearSize / 8) : offset
    for (let size = isNear ? nearSize : farSize; ; size *= 4) {
      const bytes = Buffer.allocUnsafe(size)
      const { bytesRead } = await readAt(this.#file, bytes, 0, size, start)
      this.#window = bytes.subarray(0, bytesRead)
      this.#start = start
      const line = this.#find(offset)
      if (line) return line
      if (bytesRead < size) throw new Error(`no whole line at byte ${offset}`)
    }
  }

  #find(offset: number): Buffer | undefined {
    const at = offset - this.#start
    if (at < 0 || at >= this.#window.length) return undefined
    const end = this.#window.indexOf(lineFeed, at)
    return end === -1 ? undefined : this.#window.subarray(at, end)
  }
}
