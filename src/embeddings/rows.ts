/** Embeddings as JSON, a row for each text, written as they arrive. */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { harmlessJson } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import type { EmbeddingPrinter } from './printer.ts'

/** What stands round the rows. */
interface Frame {
  readonly first: string
  readonly between: string
  readonly rowEnd: string
  readonly last: string
}

/** A line is whole when it is written. */
export const jsonLines: Frame = { first: '', between: '', rowEnd: '\n', last: '' }
export const jsonArray: Frame = { first: '[', between: ',\n', rowEnd: '', last: ']\n' }

export class RowPrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #frame: Frame
  readonly #hasText: boolean
  #isBegun = false

  constructor(out: Sink, frame: Frame, hasText: boolean) {
    this.#out = out
    this.#frame = frame
    this.#hasText = hasText
  }

  async take({ first, texts, vectors }: EmbeddedBatch): Promise<void> {
    const rows = vectors.map((embedding, at) => {
      const row = { index: first + at, ...(this.#hasText && { text: texts[at] }), embedding }
      return JSON.stringify(row) + this.#frame.rowEnd
    })
    const before = this.#isBegun ? this.#frame.between : this.#frame.first
    this.#isBegun = true
    const json = before + rows.join(this.#frame.between)
    await this.#out.write(this.#out.isTerminal ? harmlessJson(json) : json)
  }

  async finish(): Promise<void> {
    await this.#out.write(this.#frame.last)
  }

  async breakOff(): Promise<boolean> {
    if (this.#isBegun) await this.finish()
    return this.#isBegun
  }
}
