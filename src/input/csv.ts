/** Reads CSV. The only import site of csv-parse. */

import { CsvError, parse } from 'csv-parse/sync'
import { UsageError } from '../errors.ts'

/**
 * Calls `onRow` with each row, starting with the header. Blank lines are skipped.
 * @param where The document, for errors.
 * @throws UsageError naming document and line; what `onRow` throws.
 */
export function forEachRow(document: string, where: string, onRow: (row: readonly string[]) => void): void {
  const onRecord = (row: string[]): null => {
    onRow(row)
    // csv-parse collects what this returns.
    return null
  }
  try {
    parse(document, { skip_empty_lines: true, on_record: onRecord })
  } catch (error) {
    throw error instanceof CsvError
      ? new UsageError(`${where}, line ${String(error.lines)}: ${reasonOf(error)}`)
      : error
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'the number of columns differs from the header',
  CSV_QUOTE_NOT_CLOSED: 'unclosed quote',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'quote inside an unquoted column',
}

function reasonOf({ code, message }: CsvError): string {
  return reasons[code] ?? message
}
