/** What shows an answer, and the short printers: of JSON, of two at once, and of an answer that is held back. */

import { type SafeText, sanitizeJson } from '../io/text/safe-text.ts'
import type { Delta } from '../stream/delta.ts'
import { writeJson } from '../io/json/print.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'

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
export function printBoth(first: Printer, second: Printer): Printer {
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

/**
 * One JSON document (`--json`): indented on a terminal, on one line elsewhere.
 * @param answer Keeps what the service sent.
 */
export function jsonPrinter(out: Sink, answer: Answer): Printer {
  const end = async (): Promise<void> => {
    const { json } = answer
    if (json) await writeJson(json, out)
  }
  return { print: () => Promise.resolve(), finish: end, interrupt: end, restart: () => undefined }
}

/** The service's chunks as they arrive, one per line (`--jsonl`). */
export function jsonLinesPrinter(out: Sink): Printer {
  const print = async (deltas: readonly Delta[]): Promise<void> => {
    let lines = ''
    for (const delta of deltas) if (delta.type === 'chunk') lines += `${delta.text}\n`
    if (lines !== '') await writeText(out, lines, sanitizeJson)
  }
  const end = (): Promise<void> => Promise.resolve()
  return { print, finish: end, interrupt: end, restart: () => undefined }
}

/**
 * A printer for an answer that may call tools. Only its end tells, so the text is held until then: a pipe gets the last answer
 * and nothing else.
 * @param last Prints the answer.
 * @param withCalls Prints one that calls tools.
 * @param callsTools Whether the answer, which is complete, is such a one.
 */
export function deferredPrinter(last: Printer, withCalls: Printer, callsTools: () => boolean): Printer {
  const deferred: Delta[][] = []
  const end = async (how: 'finish' | 'interrupt'): Promise<void> => {
    const printer = how === 'finish' && callsTools() ? withCalls : last
    for (const deltas of deferred) await printer.print(deltas)
    await printer[how]()
  }
  const print = async (deltas: readonly Delta[]): Promise<void> => void deferred.push([...deltas])
  const restart = (): void => void (deferred.length = 0)
  return { print, finish: () => end('finish'), interrupt: () => end('interrupt'), restart }
}
