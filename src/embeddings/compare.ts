/** `--compare`: how alike the texts are, every one with every other. */

import { setImmediate as breathe } from 'node:timers/promises'
import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import type { Sink } from '../io/io.ts'
import type { Style } from '../terminal/style.ts'
import { heatMap } from './heat-map.ts'
import { nearestList } from './nearest-list.ts'
import type { EmbeddingPrinter } from './printer.ts'
import { Similarities } from './similarity.ts'

export class ComparePrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #style: Style
  readonly #signal: AbortSignal
  readonly #similarities = new Similarities()
  readonly #texts: string[] = []

  /** @param signal Ends the comparing, which takes its time for thousands of texts. */
  constructor(out: Sink, style: Style, signal: AbortSignal) {
    this.#out = out
    this.#style = style
    this.#signal = signal
  }

  take({ texts, vectors }: EmbeddedBatch): Promise<void> {
    for (const vector of vectors) this.#similarities.add(vector)
    for (const text of texts) this.#texts.push(text)
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    for (const line of this.#lines()) {
      // A signal is noticed only between two turns of the event loop, and writing to a file begins none.
      await breathe()
      this.#signal.throwIfAborted()
      await this.#out.write(`${line}\n`)
    }
  }

  /** Without all of the texts there is nothing to compare. */
  breakOff(): Promise<boolean> {
    return Promise.resolve(false)
  }

  #lines(): Iterable<string> {
    if (!this.#out.isTerminal) return table(this.#similarities)
    const columns = this.#out.columns()
    const map = heatMap(this.#similarities, this.#texts, columns, this.#style)
    return map ?? nearestList(this.#similarities, this.#texts, columns, this.#style)
  }
}

/** Plain numbers, as exact as embeddings of 32 bits are. */
function* table(similarities: Similarities): Generator<string> {
  for (let index = 0; index < similarities.count; index++) {
    const cosines = similarities.row(index).map((cosine) => String(Number(cosine.toFixed(6))))
    yield cosines.join('\t')
  }
}
