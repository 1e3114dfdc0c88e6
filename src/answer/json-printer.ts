/** Prints the answer as JSON: one document (`--json`), or the service's chunks (`--jsonl`). */

import { exactJson, type JsonObject, writeJson } from '../io/json/json.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { AnswerAccumulator } from '../stream/answer-accumulator.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/**
 * One JSON document: indented on a terminal, on one line elsewhere.
 * @param answer Accumulates the deltas, with the chunks.
 */
export function jsonPrinter(
  out: Sink,
  answer: AnswerAccumulator,
  fold: (chunks: readonly JsonObject[]) => JsonObject,
): Printer {
  const finish = async (): Promise<void> => {
    await writeJson(answer.whole ?? fold(answer.chunks), out)
  }
  const interrupt = async (): Promise<void> => (answer.chunks.length > 0 ? finish() : undefined)
  return { print: () => Promise.resolve(), finish, interrupt }
}

/** The service's chunks as they arrive, one per line. */
export function jsonLinesPrinter(out: Sink): Printer {
  const print = async (deltas: readonly Delta[]): Promise<void> => {
    let lines = ''
    for (const delta of deltas) {
      // A chunk is unchanged, unless it contains a line break.
      if (delta.type === 'chunk') lines += `${/[\r\n]/.test(delta.text) ? exactJson(delta.json) : delta.text}\n`
    }
    if (lines !== '') await writeText(out, lines, sanitizeJson)
  }
  const end = (): Promise<void> => Promise.resolve()
  return { print, finish: end, interrupt: end }
}
