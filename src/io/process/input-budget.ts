/** The limit of what the user gives for one request, counted as it is read: a pipe may never end. */

import { UsageError } from '../../errors.ts'

/**
 * In bytes, images in base64. No service accepts as much. Read, decoded and escaped for JSON, an input of this size still
 * fits in half a gigabyte of memory.
 */
const maxSize = 64 * 1024 * 1024

export class InputBudget {
  /** Called once, when the first file or standard input is open. */
  onFirstRead: (() => void) | undefined
  #left: number

  /** @param used What the request has already. */
  constructor(used = 0) {
    this.#left = maxSize - used
  }

  /** To be called before an input is read. */
  begin(): void {
    this.onFirstRead?.()
    this.onFirstRead = undefined
  }

  /** Counts an input. @throws UsageError beyond the limit. */
  take(size: number, where: string): void {
    this.check(size, where)
    this.#left -= size
  }

  /** As `take`, without counting it. */
  check(size: number, where: string): void {
    if (size <= this.#left) return
    throw new UsageError(`${where}: exceeds the limit of ${maxSize / 1024 / 1024} MiB of input per request`)
  }
}
