/** Writes a new file in large pieces, and makes it durable before it takes the place of another. */

import { createHash } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, renameSync, statSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { FailedError, reasonOf } from '../../errors.ts'
import type { Digest } from '../input/source.ts'
import { createFile, removeFile } from '../journal/journal.ts'

const writeTo = promisify(write)
const sync = promisify(fdatasync)

/** In bytes. */
const pieceSize = 256 * 1024

export class NewFile {
  /** Where it is written, and its final path. */
  readonly #path: string
  readonly #target: string
  readonly #file: number
  readonly #inode: number
  readonly #held = Buffer.allocUnsafe(pieceSize)
  /** In bytes, of what is held. */
  #size = 0
  /** In bytes, of what was written before it. */
  #written = 0
  readonly #hash = createHash('sha256')
  #isOpen = true

  /** @param mode Of the file (default: by the umask). @throws FailedError */
  constructor(path: string, target: string, mode: number | undefined) {
    this.#path = path
    this.#target = target
    this.#file = createFile(path, mode)
    this.#inode = fstatSync(this.#file).ino
  }

  /** In bytes: where the next text starts. */
  get size(): number {
    return this.#written + this.#size
  }

  /** @throws FailedError */
  async write(text: string): Promise<void> {
    // Of UTF-8, at most 3 bytes for each character.
    if (this.#size + 3 * text.length > this.#held.length) await this.#flush()
    if (3 * text.length > this.#held.length) await this.#writeBytes(Buffer.from(text))
    else this.#size += this.#held.write(text, this.#size)
  }

  /** Makes it durable. @throws FailedError */
  async finish(): Promise<Digest> {
    await this.#flush()
    await this.#guard(() => sync(this.#file))
    this.#close()
    return { size: this.size, hash: this.#hash.digest('hex') }
  }

  /** Renames it to its final path, after `finish`. @throws FailedError */
  async rename(): Promise<void> {
    await this.#guard(() => Promise.resolve(renameSync(this.#path, this.#target)))
  }

  /** Closes and removes it, if it is not renamed, and another run has not replaced it. */
  discard(): void {
    this.#close()
    try {
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode) removeFile(this.#path)
    } catch {
      // The next run removes it.
    }
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }

  async #flush(): Promise<void> {
    await this.#writeBytes(this.#held.subarray(0, this.#size))
    this.#size = 0
  }

  #writeBytes(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    this.#written += bytes.length
    return this.#guard(async () => {
      for (let at = 0; at < bytes.length;) at += (await writeTo(this.#file, bytes, at)).bytesWritten
    })
  }

  async #guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw new FailedError(`cannot write ${this.#target}: ${reasonOf(error)}`)
    }
  }
}
