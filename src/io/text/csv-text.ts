/** Writes CSV and TSV. The only import site of csv-stringify. */

import { stringify } from 'csv-stringify/sync'

/**
 * A row, without the line end. A cell with a delimiter, a quote or a line break is quoted, in both formats: spreadsheets and
 * pandas.read_csv read it back as it was.
 */
export function csvRow(cells: readonly string[], delimiter: ',' | '\t' = ','): string {
  return stringify([cells], { eof: false, delimiter })
}
