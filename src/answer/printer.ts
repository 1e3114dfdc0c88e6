import type { SafeText } from '../io/text/safe-text.ts'
import type { Delta } from '../stream/delta.ts'

/** Shows an answer as it arrives. */
export interface Printer {
  print(deltas: readonly Delta[]): Promise<void>
  /** Called when the answer is complete. */
  finish(): Promise<void>
  /** Called when the answer is interrupted: shows the part that is not shown yet. */
  interrupt(): Promise<void>
  /** Forgets what has come. Absent if that is shown as it arrives. */
  restart?(): void
  /** What the printer waits for before it shows more, such as `the whole table`: for the spinner. */
  readonly awaited?: SafeText | undefined
}

/** A printer that passes everything to one printer and then to the other. */
export function inTurn(first: Printer, second: Printer): Printer {
  const both = async (call: (printer: Printer) => Promise<void>): Promise<void> => {
    await call(first)
    await call(second)
  }
  return {
    print: (deltas) => both((one) => one.print(deltas)),
    finish: () => both((one) => one.finish()),
    interrupt: () => both((one) => one.interrupt()),
    ...(second.restart && { restart: () => second.restart?.() }),
    get awaited() {
      return second.awaited
    },
  }
}
