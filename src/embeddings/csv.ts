/** Embeddings as CSV or TSV. */

import { csvRow } from '../io/text/csv-text.ts'
import type { RowFormat } from './formats.ts'

/** Columns: `index`, optionally `text`, and `v0`, `v1` … for the dimensions. */
export function csvFormat(delimiter: ',' | '\t', hasText: boolean): RowFormat {
  // Only texts need quoting. With numbers the library takes three times as long.
  const line = (index: string, text: string, values: string): string => {
    const start = csvRow(hasText ? [index, text] : [index], delimiter)
    return `${start}${delimiter}${delimiter === ',' ? values : values.split(',').join(delimiter)}\n`
  }
  return {
    first: (vector) => line('index', 'text', vector.map((_, at) => `v${at}`).join()),
    row: (index, text, array) => line(String(index), text, array.slice(1, -1)),
  }
}
