/** What shows an answer, and the printers of all but its text: JSON, a part of it, and one that is held back. */

import { type SafeText, sanitizeJson } from '../io/text/safe-text.ts'
import type { Delta } from '../stream/delta.ts'
import { writeJson } from '../io/json/json.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'
import { FailedError } from '../errors.ts'

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

interface ExtractedPartOptions {
  /** Gets the whole answer if it has no such part. */
  readonly fallback: Sink
  /** @returns the part of the text of an answer; `undefined` if there is none. @throws FailedError if it is of no use. */
  partOf(text: string): Promise<string | undefined>
  /** Called for each answer without the part, if another one has it. */
  warnWithout(index: number): Promise<void>
}

/**
 * A part of the answer, once it is complete: a fenced code block (`--extract`), or checked JSON (`--schema`).
 * @param answer Keeps the texts. @throws FailedError at the end if no answer has the part.
 */
export function extractedPartPrinter(
  out: Sink,
  answer: Answer,
  { fallback, partOf, warnWithout }: ExtractedPartOptions,
): Printer {
  /** An incomplete part is no result; the answer goes to the fallback. */
  const interrupt = async (): Promise<void> => {
    const texts = answer.choices.flatMap(([, { text }]) => (text === '' ? [] : [text]))
    if (texts.length > 0) await writeText(fallback, withLineEnd(texts.join('\n\n')))
  }

  /** Prints the part of each answer that has one. If none has one, the answers go to the fallback. */
  const finish = async (): Promise<void> => {
    const found: [index: number, part: string | undefined][] = []
    try {
      for (const [index, { text }] of answer.choices) found.push([index, await partOf(text)])
      if (found.every(([, part]) => part === undefined)) throw new FailedError('the answer has no fenced code block')
    } catch (error) {
      if (error instanceof FailedError) await interrupt()
      throw error
    }
    const parts = found.flatMap(([, part]) => part ?? [])
    await writeText(out, parts.map(withLineEnd).join('\n'))
    for (const [index, part] of found) if (part === undefined) await warnWithout(index)
  }

  return { print: () => Promise.resolve(), finish, interrupt, restart: () => undefined }
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/**
 * A printer for an answer that may call tools. Only its end tells, so the text is held until then: a pipe gets the last answer
 * and nothing else.
 * @param answer Accumulates the deltas before they are printed.
 * @param last Prints the answer.
 * @param withCalls Prints one that calls tools.
 */
export function deferredPrinter(answer: Answer, last: Printer, withCalls: Printer): Printer {
  const deferred: Delta[][] = []
  const end = async (how: 'finish' | 'interrupt'): Promise<void> => {
    const printer = how === 'finish' && answer.callsTools ? withCalls : last
    for (const deltas of deferred) await printer.print(deltas)
    await printer[how]()
  }
  const print = async (deltas: readonly Delta[]): Promise<void> => void deferred.push([...deltas])
  const restart = (): void => void (deferred.length = 0)
  return { print, finish: () => end('finish'), interrupt: () => end('interrupt'), restart }
}
