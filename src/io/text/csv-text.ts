/** Writes CSV and TSV. The only import site of csv-stringify. */

import { stringify } from 'csv-stringify/sync'

export interface TableStyle {
  readonly format: 'csv' | 'tsv'
  /** The byte order mark by which Excel knows UTF-8, or nothing. */
  readonly mark: string
  /** What separates the cells. */
  readonly delimiter: string
  /** What ends the header. */
  readonly lineEnd: string
}

/** How a table is written. @param from That of the table that a file is made of. Standard output has commas, and no mark. */
export function styleOf(format: TableStyle['format'], from: TableStyle | undefined): TableStyle {
  const { mark = '', lineEnd = '\n' } = from ?? {}
  const ofCsv = from?.format === 'csv' ? from.delimiter : ','
  return { format, mark, delimiter: format === 'tsv' ? '\t' : ofCsv, lineEnd }
}

/**
 * A row, without the line end. A cell with a delimiter, a quote or a line break is quoted, in both formats: spreadsheets and
 * pandas.read_csv read it back as it was.
 */
export function csvRow(cells: readonly string[], delimiter: string): string {
  return stringify([cells], { eof: false, delimiter })
}
