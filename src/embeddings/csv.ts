/** Writes embeddings as CSV or TSV while they arrive. */

import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import { csvRow } from '../io/text/csv-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { type EmbeddingPrinter, joinRows } from './formats.ts'

/** Columns: `index`, optionally `text`, and `v0`, `v1` … for the dimensions. */
export class CsvPrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #delimiter: ',' | '\t'
  readonly #hasText: boolean
  #hasStarted = false

  constructor(out: Sink, delimiter: ',' | '\t', hasText: boolean) {
    this.#out = out
    this.#delimiter = delimiter
    this.#hasText = hasText
  }

  async take(group: EmbeddedGroup): Promise<void> {
    for (const piece of joinRows(this.#rows(group))) await writeText(this.#out, piece)
  }

  *#rows({ first, texts, vectors, arrayTexts }: EmbeddedGroup): Generator<string> {
    if (!this.#hasStarted) yield this.#line('index', 'text', (vectors[0] ?? []).map((_, at) => `v${at}`).join())
    this.#hasStarted = true
    for (const [at, array] of arrayTexts().entries()) {
      yield this.#line(String(first + at), texts[at] ?? '', array.slice(1, -1))
    }
  }

  /**
   * Only texts need quoting. With numbers the library takes three times as long.
   * @param values Separated by commas.
   */
  #line(index: string, text: string, values: string): string {
    const delimiter = this.#delimiter
    const start = csvRow(this.#hasText ? [index, text] : [index], delimiter)
    return `${start}${delimiter}${delimiter === ',' ? values : values.split(',').join(delimiter)}\n`
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  breakOff(): Promise<boolean> {
    return Promise.resolve(this.#hasStarted)
  }
}
