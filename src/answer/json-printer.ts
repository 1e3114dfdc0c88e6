/** Prints the answer as JSON: one document (`--json`), or the service's chunks (`--jsonl`). */

import { exactJson, writeJson } from '../io/json/json.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/**
 * One JSON document: indented on a terminal, on one line elsewhere.
 * @param answer Keeps what the service sent.
 */
export function jsonPrinter(out: Sink, answer: Answer): Printer {
  const finish = (): Promise<void> => writeJson(answer.json, out)
  const interrupt = async (): Promise<void> => (answer.hasJson ? finish() : undefined)
  return { print: () => Promise.resolve(), finish, interrupt, restart: () => undefined }
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
  return { print, finish: end, interrupt: end, restart: () => undefined }
}
