/** Appends to a conversation's file. */

import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs'
import type { Entry } from './entry.ts'

/** Takes the key out of a text. */
export type Mask = (text: string) => string

/**
 * What `write` has taken, the system has: it outlives this process, however that ends. Each call is one write at the
 * file's end, whoever else writes there, so that lines of two runs stand beside each other and not in each other.
 */
export class Writer {
  readonly path: string
  readonly #file: number
  readonly #mask: Mask

  /**
   * @param options With `isNew` the file is made, and must not be there yet; otherwise it must.
   * @throws what the system reports.
   */
  constructor(path: string, mask: Mask, { isNew = false } = {}) {
    this.path = path
    this.#file = openSync(path, isNew ? 'ax' : constants.O_WRONLY | constants.O_APPEND, 0o600)
    this.#mask = mask
    if ((fstatSync(this.#file).mode & 0o077) !== 0) fchmodSync(this.#file, 0o600)
  }

  /** @throws what the system reports, such as a full disk. */
  write(...entries: readonly Entry[]): void {
    const bytes = Buffer.from(entries.map((entry) => this.#line(entry)).join(''))
    let written = 0
    while (written < bytes.length) written += writeSync(this.#file, bytes, written)
  }

  /** The whole answer outlives a power failure too. */
  close(): void {
    try {
      fdatasyncSync(this.#file)
    } finally {
      closeSync(this.#file)
    }
  }

  #line(entry: Entry): string {
    return `${JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'string' ? this.#mask(value) : value))}\n`
  }
}
