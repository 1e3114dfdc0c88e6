/** The service's whole answer, one document out of however many requests it took. */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { mergeReplies } from '../api/embeddings/decode.ts'
import { type JsonObject, jsonText } from '../io/json.ts'
import type { Sink } from '../io/io.ts'
import type { EmbeddingPrinter } from './printer.ts'

export class WholePrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #batches: EmbeddedBatch[] = []

  constructor(out: Sink) {
    this.#out = out
  }

  take(batch: EmbeddedBatch): Promise<void> {
    this.#batches.push(batch)
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const whole = mergeReplies(this.#batches)
    const pieces = this.#out.isTerminal ? [jsonText(whole, this.#out)] : jsonPieces(whole)
    for (const piece of pieces) await this.#out.write(piece)
  }

  async breakOff(): Promise<boolean> {
    if (this.#batches.length > 0) await this.finish()
    return this.#batches.length > 0
  }
}

/** The document on one line. In one piece, that of some 25,000 texts would be longer than a string can be. */
function* jsonPieces(whole: JsonObject): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(whole)) {
    yield `${before}${JSON.stringify(key)}:`
    before = ','
    if (!Array.isArray(value)) yield JSON.stringify(value)
    else {
      for (const [index, item] of value.entries()) yield `${index === 0 ? '[' : ','}${JSON.stringify(item)}`
      yield value.length === 0 ? '[]' : ']'
    }
  }
  yield '}\n'
}
