/** Writes a new file in large pieces, and makes it durable before it takes the place of another. */

import { closeSync, fdatasync, renameSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { FailedError, reasonOf } from '../errors.ts'
import { createFile, removeFile } from './journal.ts'

const writeTo = promisify(write)
const sync = promisify(fdatasync)

/** In bytes. */
const pieceSize = 256 * 1024

export class NewFile {
  /** Where it is written, and its final path. */
  readonly #path: string
  readonly #target: string
  readonly #file: number
  #pieces: Buffer[] = []
  #size = 0
  #isOpen = true

  /** @param mode Of the file (default: by the umask). @throws FailedError */
  constructor(path: string, target: string, mode: number | undefined) {
    this.#path = path
    this.#target = target
    this.#file = createFile(path, mode)
  }

  /** @param bytes Copied unless they are text. @throws FailedError */
  async write(...pieces: readonly (string | Buffer)[]): Promise<void> {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece as string)
      this.#pieces.push(bytes)
      this.#size += bytes.length
    }
    if (this.#size >= pieceSize) await this.#flush()
  }

  /** Makes it durable. @throws FailedError */
  async finish(): Promise<void> {
    await this.#flush()
    await this.#guard(() => sync(this.#file))
    this.#close()
  }

  /** Renames it to its final path, after `finish`. @throws FailedError */
  async rename(): Promise<void> {
    await this.#guard(() => Promise.resolve(renameSync(this.#path, this.#target)))
  }

  /** Closes and removes it, if it is not renamed. */
  discard(): void {
    this.#close()
    try {
      removeFile(this.#path)
    } catch {
      // The next run removes it.
    }
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pieces, this.#size)
    this.#pieces = []
    this.#size = 0
    await this.#guard(async () => {
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
