/** Reads CSV and TSV. The only import site of csv-parse. */

import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { UsageError } from '../errors.ts'
import { type LineBlock, maxRecordSize, tooLong } from '../io/lines.ts'

/**
 * The rows, starting with the header. Blank lines are skipped.
 * @param where The document, for errors.
 * @throws UsageError naming document and line.
 */
export async function* readRows(
  blocks: AsyncIterable<LineBlock>,
  where: string,
  format: 'csv' | 'tsv',
): AsyncGenerator<readonly string[], void, undefined> {
  // Many programs write TSV without quoting, so a quote inside a value is text.
  const dialect = format === 'tsv' ? { delimiter: '\t', relax_quotes: true } : {}
  const parser = parse({ skip_empty_lines: true, max_record_size: maxRecordSize, ...dialect })
  // Errors of either stream reach the loop below.
  pipeline(Readable.from(joined(blocks)), parser, () => undefined)
  try {
    for await (const row of parser as AsyncIterable<string[]>) yield row
  } catch (error) {
    throw error instanceof CsvError ? usageError(error, where) : error
  }
}

async function* joined(blocks: AsyncIterable<LineBlock>): AsyncGenerator<string, void, undefined> {
  for await (const { lines } of blocks) yield `${lines.join('\n')}\n`
}

const reasons: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'the number of columns differs from the header',
  CSV_QUOTE_NOT_CLOSED: 'unclosed quote',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'quote inside an unquoted column',
}

function usageError({ code, message, lines }: CsvError, where: string): UsageError {
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(where, Number(lines), 'row')
  return new UsageError(`${where}, line ${String(lines)}: ${reasons[code] ?? message}`)
}
