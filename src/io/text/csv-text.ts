/** Writes CSV and TSV. The only import site of csv-stringify. */

import { stringify } from 'csv-stringify/sync'

export interface TableStyle {
  /** The byte order mark by which Excel knows UTF-8, or nothing. */
  readonly mark: string
  /** What separates the cells. */
  readonly delimiter: string
  /** What ends the header. */
  readonly lineEnd: string
}

/** A table of the input. */
export interface ReadTable {
  readonly format: 'csv' | 'tsv'
  readonly dialect: TableStyle
}

/** How a table is written. @param from The table that a file is made of. Standard output has commas, and no mark. */
export function styleOf(format: ReadTable['format'], from: ReadTable | undefined): TableStyle {
  const { mark = '', delimiter = ',', lineEnd = '\n' } = from?.dialect ?? {}
  const ofCsv = from?.format === 'csv' ? delimiter : ','
  return { mark, delimiter: format === 'tsv' ? '\t' : ofCsv, lineEnd }
}

/**
 * A row, without the line end. A cell with a delimiter, a quote or a line break is quoted, in both formats: spreadsheets and
 * pandas.read_csv read it back as it was.
 */
export function csvRow(cells: readonly string[], delimiter: string): string {
  return stringify([cells], { eof: false, delimiter })
}
