/** CSV tables: the only importer of csv-parse. */

import { CsvError, parse } from 'csv-parse/sync'
import { UsageError } from '../errors.ts'

/**
 * The header is the first row. Blank lines are skipped, and rows are not kept.
 * @param where The document, for errors.
 * @throws UsageError naming document and line; what `take` throws.
 */
export function forEachRow(document: string, where: string, take: (row: readonly string[]) => void): void {
  const takeOnly = (row: string[]): null => {
    take(row)
    // csv-parse keeps what this returns.
    return null
  }
  try {
    parse(document, { skip_empty_lines: true, on_record: takeOnly })
  } catch (error) {
    throw error instanceof CsvError
      ? new UsageError(`${where}, line ${String(error.lines)}: ${reasonOf(error)}`)
      : error
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'another number of columns than the header has',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quote ends before its column does',
  INVALID_OPENING_QUOTE: 'a quote in a column that does not begin with one',
}

function reasonOf({ code, message }: CsvError): string {
  return reasons[code] ?? message
}
