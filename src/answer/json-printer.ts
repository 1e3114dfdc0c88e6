/** Prints the answer as JSON: one document (`--json`), or the service's chunks (`--jsonl`). */

import { append } from '../io/arrays.ts'
import { exactJson, type JsonObject, jsonText } from '../io/json/json.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Secrets } from '../io/secrets/secrets.ts'
import { ChunkMask, type Chunk } from '../stream/chunk-mask.ts'
import type { AnswerAccumulator } from '../stream/answer-accumulator.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/**
 * One JSON document: indented on a terminal, on one line elsewhere.
 * @param answer Accumulates the deltas, with the chunks.
 * @param secrets Mask an API key that arrived in pieces, or of which only the start arrived.
 */
export function jsonPrinter(
  out: Sink,
  answer: AnswerAccumulator,
  fold: (chunks: readonly JsonObject[]) => JsonObject,
  secrets: Secrets,
): Printer {
  const finish = async (): Promise<void> => {
    const reply = answer.whole ?? fold(answer.chunks)
    secrets.maskCutValues(reply)
    await writeText(out, jsonText(reply, out), sanitizeJson)
  }
  const interrupt = async (): Promise<void> => (answer.chunks.length > 0 ? finish() : undefined)
  return { print: () => Promise.resolve(), finish, interrupt }
}

/** The service's chunks as they arrive, one per line. */
export function jsonLinesPrinter(out: Sink, secrets: Secrets): Printer {
  const mask = new ChunkMask(secrets)

  /** A chunk is unchanged, unless it contains a line break or a key. */
  const write = async (chunks: readonly Chunk[]): Promise<void> => {
    let lines = ''
    for (const { text, json } of chunks) lines += `${/[\r\n]/.test(text) ? exactJson(json) : text}\n`
    if (lines !== '') await writeText(out, lines, sanitizeJson)
  }

  const print = async (deltas: readonly Delta[]): Promise<void> => {
    const chunks: Chunk[] = []
    for (const delta of deltas) {
      if (delta.type === 'chunk') append(chunks, mask.take(delta))
      else if (delta.type === 'end') append(chunks, mask.endChoice(delta.index))
    }
    await write(chunks)
  }

  const finish = async (): Promise<void> => write(mask.flush())
  return { print, finish, interrupt: finish }
}
