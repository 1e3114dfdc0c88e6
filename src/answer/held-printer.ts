import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/**
 * A printer for an answer that may call tools. Only its end tells, so the text is held until then: a pipe gets the last answer
 * and nothing else.
 * @param answer Accumulates the deltas before they are printed.
 * @param last Prints the answer.
 * @param withCalls Prints one that calls tools.
 */
export function heldPrinter(answer: Answer, last: Printer, withCalls: Printer): Printer {
  const held: Delta[][] = []
  const end = async (how: 'finish' | 'interrupt'): Promise<void> => {
    const printer = how === 'finish' && answer.callsTools ? withCalls : last
    for (const deltas of held) await printer.print(deltas)
    await printer[how]()
  }
  const print = async (deltas: readonly Delta[]): Promise<void> => void held.push([...deltas])
  const restart = (): void => void (held.length = 0)
  return { print, finish: () => end('finish'), interrupt: () => end('interrupt'), restart }
}
