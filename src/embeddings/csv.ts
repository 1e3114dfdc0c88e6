/** Writes embeddings as CSV or TSV while they arrive. The only import site of csv-stringify. */

import { stringify } from 'csv-stringify/sync'
import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { EmbeddingPrinter } from './formats.ts'

/**
 * Columns: `index`, optionally `text`, and `v0`, `v1` … for the dimensions. In both formats a text with a delimiter, a
 * quote or a line break is quoted: spreadsheets and pandas.read_csv read it back as it was.
 */
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

  async take({ first, texts, vectors }: EmbeddedBatch): Promise<void> {
    const rows = vectors.map((vector, at) => this.#line(String(first + at), texts[at] ?? '', vector))
    if (!this.#hasStarted)
      rows.unshift(
        this.#line(
          'index',
          'text',
          (vectors[0] ?? []).map((_, at) => `v${at}`),
        ),
      )
    this.#hasStarted = true
    await writeText(this.#out, rows.join(''))
  }

  /** Only texts need quoting. With numbers the library takes three times as long. */
  #line(index: string, text: string, values: readonly (string | number)[]): string {
    const delimiter = this.#delimiter
    const start = stringify([this.#hasText ? [index, text] : [index]], { eof: false, delimiter })
    return `${start}${delimiter}${values.join(delimiter)}\n`
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  breakOff(): Promise<boolean> {
    return Promise.resolve(this.#hasStarted)
  }
}
