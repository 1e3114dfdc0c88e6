import type { Delta } from '../stream/delta.ts'

/** One way of showing an answer. */
export interface Printer {
  take(deltas: readonly Delta[]): Promise<void>
  /** The answer is whole. */
  finish(): Promise<void>
  /** The answer broke off: show what of it has not been shown. */
  breakOff(): Promise<void>
}
