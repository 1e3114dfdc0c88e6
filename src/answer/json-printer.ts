/** Prints the answer as JSON: one document (`--json`), or the service's chunks (`--jsonl`). */

import { type JsonObject, jsonText } from '../io/json.ts'
import { sanitizeJson } from '../io/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/** One JSON document: indented on a terminal, on one line elsewhere. */
export class JsonPrinter implements Printer {
  readonly #out: Sink
  readonly #fold: (chunks: readonly JsonObject[]) => JsonObject
  readonly #mask: (text: string) => string
  readonly #chunks: JsonObject[] = []
  #answer: JsonObject | undefined

  /** @param mask Masks an API key that arrived in pieces. */
  constructor(out: Sink, fold: (chunks: readonly JsonObject[]) => JsonObject, mask: (text: string) => string) {
    this.#out = out
    this.#fold = fold
    this.#mask = mask
  }

  print(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type !== 'chunk') continue
      if (delta.isWhole) this.#answer = delta.json
      else this.#chunks.push(delta.json)
    }
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const answer = this.#answer ?? this.#fold(this.#chunks)
    await writeText(this.#out, this.#mask(jsonText(answer, this.#out)), sanitizeJson)
  }

  async interrupt(): Promise<void> {
    if (this.#chunks.length > 0) await this.finish()
  }
}

/** The service's chunks as they arrive, one per line. */
export class JsonLinesPrinter implements Printer {
  readonly #out: Sink

  constructor(out: Sink) {
    this.#out = out
  }

  async print(deltas: readonly Delta[]): Promise<void> {
    let lines = ''
    for (const delta of deltas) {
      // Unchanged, unless it contains a line break.
      if (delta.type === 'chunk') lines += `${/[\r\n]/.test(delta.text) ? JSON.stringify(delta.json) : delta.text}\n`
    }
    if (lines !== '') await writeText(this.#out, lines, sanitizeJson)
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  interrupt(): Promise<void> {
    return Promise.resolve()
  }
}
