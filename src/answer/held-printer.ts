import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/**
 * A printer for an answer that may call tools. Only its end tells, so the text is held until then: a pipe gets the last answer
 * and nothing else.
 * @param answer Accumulates the deltas before they are printed.
 * @param last Prints the answer.
 * @param beforeCalls Prints the text before a call, which is no answer.
 */
export function heldPrinter(answer: Answer, last: Printer, beforeCalls: Printer): Printer {
  const held: Delta[][] = []
  const end = async (how: 'finish' | 'interrupt'): Promise<void> => {
    const printer = how === 'finish' && answer.callsTools ? beforeCalls : last
    for (const deltas of held) await printer.print(deltas)
    await printer[how]()
  }
  const print = async (deltas: readonly Delta[]): Promise<void> => void held.push([...deltas])
  return { print, finish: () => end('finish'), interrupt: () => end('interrupt') }
}
