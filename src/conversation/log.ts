/** The file of a conversation: an append-only log of entries, one per line. A damaged line does not affect the others. */

import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, openSync, unlinkSync } from 'node:fs'
import { openRegularFile } from '../io/files/regular-file.ts'
import type { Secrets } from '../io/secrets/secrets.ts'
import { writeWhole } from '../io/files/write-whole.ts'
import type { Entry } from './entry.ts'

/**
 * Appends to a log. After `write`, the entries survive the end of this process. Each call is one write with O_APPEND, so
 * that the lines of two processes do not mix.
 */
export class LogWriter {
  readonly path: string
  readonly #file: number
  readonly #secrets: Secrets

  /**
   * @param secrets The API keys, which are masked.
   * @param options With `isNew` the file is created and must not exist; otherwise it must.
   * @throws system errors; FailedError for anything but a file.
   */
  constructor(path: string, secrets: Secrets, { isNew = false } = {}) {
    this.path = path
    this.#secrets = secrets
    this.#file = isNew ? openSync(path, 'ax', 0o600) : openRegularFile(path, constants.O_WRONLY | constants.O_APPEND)
    if ((fstatSync(this.#file).mode & 0o077) !== 0) fchmodSync(this.#file, 0o600)
  }

  /** @throws system errors, such as a full disk. */
  write(...entries: readonly Entry[]): void {
    writeWhole(this.#file, Buffer.from(entries.map((entry) => this.#line(entry)).join('')))
  }

  /** Ends a line that a failed write has begun. @throws system errors. */
  endLine(): void {
    writeWhole(this.#file, Buffer.from('\n'))
  }

  /** After it, the entries survive a power failure too. @throws system errors. */
  close(): void {
    try {
      fdatasyncSync(this.#file)
    } finally {
      closeSync(this.#file)
    }
  }

  /** Closes and removes the file, if possible: parts that stay behind are not read again. @throws system errors. */
  discard(): void {
    closeSync(this.#file)
    try {
      unlinkSync(this.path)
    } catch {
      // Such as on Windows, while another process reads it.
    }
  }

  #line(entry: Entry): string {
    const mask = (value: unknown): unknown => (typeof value === 'string' ? this.#secrets.mask(value) : value)
    return `${JSON.stringify(entry, (_key, value: unknown) => mask(value))}\n`
  }
}
