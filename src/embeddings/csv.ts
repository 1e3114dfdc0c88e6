/** Embeddings as CSV or TSV. */

import { csvRow } from '../io/text/csv-text.ts'
import { type BesideColumns, cellOf, type RowFormat } from './formats.ts'

/** Columns: `index`, those beside the embedding, and `v0`, `v1` … for the dimensions. */
export function csvFormat(delimiter: ',' | '\t', { names, valuesOf }: BesideColumns): RowFormat {
  // The numbers need no quoting, and with them the library takes three times as long.
  const line = (cells: readonly string[], values: string): string => {
    const start = csvRow(cells, delimiter)
    return `${start}${delimiter}${delimiter === ',' ? values : values.split(',').join(delimiter)}\n`
  }
  return {
    first: (vector) => line(['index', ...names], vector.map((_, at) => `v${at}`).join()),
    row: (index, item, array) => {
      return line([String(index), ...valuesOf(item).map((value) => cellOf(value) ?? '')], array.slice(1, -1))
    },
  }
}
