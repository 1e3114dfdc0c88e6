/** The answer as the service gave it: as one document, or chunk by chunk. */

import { type JsonObject, jsonText } from '../io/json.ts'
import { sanitizeJson } from '../io/sanitize.ts'
import type { Sink } from '../io/io.ts'
import type { Delta } from '../stream/delta.ts'
import type { Printer } from './printer.ts'

/** One JSON document: indented on a terminal, on one line elsewhere. */
export class JsonPrinter implements Printer {
  readonly #out: Sink
  readonly #fold: (chunks: readonly JsonObject[]) => JsonObject
  readonly #mask: (text: string) => string
  readonly #chunks: JsonObject[] = []
  #whole: JsonObject | undefined

  /** @param mask Takes out a key that came in pieces. */
  constructor(out: Sink, fold: (chunks: readonly JsonObject[]) => JsonObject, mask: (text: string) => string) {
    this.#out = out
    this.#fold = fold
    this.#mask = mask
  }

  take(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type !== 'chunk') continue
      if (delta.isWhole) this.#whole = delta.json
      else this.#chunks.push(delta.json)
    }
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const answer = this.#whole ?? this.#fold(this.#chunks)
    await this.#out.write(this.#mask(jsonText(answer, this.#out)))
  }

  async breakOff(): Promise<void> {
    if (this.#chunks.length > 0) await this.finish()
  }
}

/** The service's chunks as they arrive, one a line. */
export class JsonLinesPrinter implements Printer {
  readonly #out: Sink

  constructor(out: Sink) {
    this.#out = out
  }

  async take(deltas: readonly Delta[]): Promise<void> {
    let lines = ''
    for (const delta of deltas) {
      // Unchanged, unless it would not fit on a line.
      if (delta.type === 'chunk') lines += `${/[\r\n]/.test(delta.text) ? JSON.stringify(delta.json) : delta.text}\n`
    }
    if (lines !== '') await this.#out.write(this.#out.isTerminal ? sanitizeJson(lines) : lines)
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  breakOff(): Promise<void> {
    return Promise.resolve()
  }
}
