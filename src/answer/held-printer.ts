import type { AnswerAccumulator } from '../stream/answer-accumulator.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

export interface HeldPrinters {
  /** Prints the reasoning as it arrives, if it is shown. */
  readonly live: Printer | undefined
  /** Prints the answer. */
  readonly last: Printer
  /** Prints the text before a call, which is no answer. */
  readonly beforeCalls: Printer
}

/**
 * A printer for an answer that may call tools. Only its end tells, so the text is held until then: a pipe gets the last answer
 * and nothing else.
 * @param answer Accumulates the deltas before they are printed.
 */
export function heldPrinter(answer: AnswerAccumulator, { live, last, beforeCalls }: HeldPrinters): Printer {
  const held: Delta[][] = []
  const end = async (how: 'finish' | 'interrupt'): Promise<void> => {
    await live?.[how]()
    // The calls of an answer that was interrupted may be incomplete.
    const hasCalls = how === 'finish' ? answer.callsTools : answer.choices.some(([, { calls }]) => calls.size > 0)
    const printer = hasCalls ? beforeCalls : last
    for (const deltas of held) await printer.print(deltas)
    await printer[how]()
  }
  return {
    print: async (deltas) => {
      held.push([...deltas])
      await live?.print(deltas)
    },
    finish: () => end('finish'),
    interrupt: () => end('interrupt'),
  }
}
