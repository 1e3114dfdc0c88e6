/**
 * Limits what is kept of replies, so that none fills the memory. All sizes are in characters of text, or in bytes before it is
 * decoded.
 */

import { NetworkError } from '../errors.ts'

export const mebibyte = 1024 * 1024

/** What is kept of one reply: all of one that is not streamed, and of a streamed answer what is needed until it ends. */
export const maxKept = 64 * mebibyte

/** What is kept of all replies that arrive at the same time: `syn batch` may have 256 of them. */
const maxTogether = 4 * maxKept

/** Anything else that is held until more arrives, such as white space before a reply. */
export const maxHeldBack = mebibyte

/** What is kept of all replies of a run at the moment. */
export class ReplyBudget {
  #size = 0

  /** @throws NetworkError beyond the limit. */
  add(size: number): void {
    this.#size += size
    if (this.#size <= maxTogether) return
    throw new NetworkError(
      `the replies that arrive at the same time are larger than the limit of ${maxTogether / mebibyte} MiB`,
    )
  }

  release(size: number): void {
    this.#size -= size
  }
}
