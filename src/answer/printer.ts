import type { Delta } from '../stream/delta.ts'

/** One way of showing an answer. */
export interface Printer {
  take(deltas: readonly Delta[]): Promise<void>
  /** The answer is whole. */
  finish(): Promise<void>
  /** The answer broke off: show what of it has not been shown. */
  breakOff(): Promise<void>
  /** What it waits for before it shows any more, where the screen has nothing else to tell of it. */
  readonly awaited?: string | undefined
}

/** Shows an answer with one printer and then with the other. */
export function inTurn(first: Printer, second: Printer): Printer {
  return {
    take: async (deltas) => {
      await first.take(deltas)
      await second.take(deltas)
    },
    finish: async () => {
      await first.finish()
      await second.finish()
    },
    breakOff: async () => {
      await first.breakOff()
      await second.breakOff()
    },
    get awaited() {
      return second.awaited
    },
  }
}
