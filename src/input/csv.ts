/** Texts in a column of a CSV table: the only importer of csv-parse. */

import { CsvError, parse } from 'csv-parse/sync'
import { UsageError } from '../errors.ts'
import { noSuchColumn, usualColumn } from './column.ts'

/**
 * The texts of one column below the header. Blank lines are no rows.
 * @param column Name or number from 1; when absent, `text` or the only one.
 * @throws UsageError naming document and line.
 */
export function textsOfTable(document: string, where: string, column: string | undefined): string[] {
  const texts: string[] = []
  let place: number | undefined
  const take = (row: string[]): null => {
    if (place === undefined) place = findColumn(row, where, column)
    else texts.push(row[place] ?? '')
    // What is returned would be kept.
    return null
  }
  try {
    parse(document, { skip_empty_lines: true, on_record: take })
  } catch (error) {
    throw error instanceof CsvError
      ? new UsageError(`${where}, line ${String(error.lines)}: ${wordsFor(error)}`)
      : error
  }
  if (place === undefined) throw new UsageError(`${where}: is empty; expected a header and rows`)
  return texts
}

/** A name goes before a number: a header may hold `2`. */
function findColumn(header: readonly string[], where: string, column: string | undefined): number {
  const named = header.indexOf(column ?? usualColumn)
  if (named !== -1) return named
  if (column === undefined && header.length === 1) return 0
  const number = /^[1-9]\d*$/.test(column ?? '') ? Number(column) : 0
  if (number >= 1 && number <= header.length) return number - 1
  throw noSuchColumn(`${where}, line 1`, 'column', column ?? usualColumn, header)
}

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'another number of columns than the header has',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quote ends before its column does',
  INVALID_OPENING_QUOTE: 'a quote in a column that does not begin with one',
}

function wordsFor({ code, message }: CsvError): string {
  return reasons[code] ?? message
}
