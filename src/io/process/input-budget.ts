/** What the user gives for one request: its limit, counted as it is read, as a pipe may never end, and the files that are read. */

import type { Stats } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { isSameFile } from '../files/stats.ts'

/**
 * In bytes, images in base64. No service accepts as much. Read, decoded and escaped for JSON, an input of this size still
 * fits in half a gigabyte of memory.
 */
const maxSize = 64 * 1024 * 1024

export class InputBudget {
  /** Called once, when the first file or standard input is open. */
  onFirstRead: (() => void) | undefined
  #left: number
  readonly #files: Stats[] = []

  /** @param used What the request has already. */
  constructor(used = 0) {
    this.#left = maxSize - used
  }

  /** To be called before an input is read. @param file If it is one. */
  begin(file?: Stats): void {
    if (file?.isFile()) this.#files.push(file)
    this.onFirstRead?.()
    this.onFirstRead = undefined
  }

  hasRead(file: Stats): boolean {
    return this.#files.some((one) => isSameFile(one, file))
  }

  /** Counts an input. @throws UsageError beyond the limit. */
  take(size: number, where: string): void {
    this.check(size, where)
    this.#left -= size
  }

  /** Checks an input without counting it. @throws as `take`. */
  check(size: number, where: string): void {
    if (size <= this.#left) return
    throw new UsageError(`${where}: exceeds the limit of ${maxSize / 1024 / 1024} MiB of input per request`)
  }
}
