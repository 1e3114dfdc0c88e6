/** Reads CSV and TSV. The only import site of csv-parse. */

import { CsvError, parse, type Parser } from 'csv-parse'
import { UsageError } from '../errors.ts'
import { type LineBlock, maxRecordSize, tooLong } from '../io/text/lines.ts'

export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number
  readonly cells: string[]
}

/**
 * The rows, starting with the header, in arrays: those of one block. Blank lines are skipped. Callers compare the number of
 * cells with that of the header.
 * @throws UsageError naming document and line.
 */
export async function* readCsvRows(
  blocks: AsyncIterable<LineBlock>,
  where: string,
  delimiter: string,
): AsyncGenerator<readonly CsvRow[], void, undefined> {
  // Many programs write TSV without quoting, so a quote inside a value is text.
  const parser = parse({
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRecordSize,
    delimiter,
    relax_quotes: delimiter === '\t',
  })
  // Errors are those of `fed` below.
  parser.on('error', () => undefined)
  const numbers = new RowNumbers()
  try {
    for await (const { first, lines } of blocks) {
      numbers.add(first, lines)
      const rows = await fed(parser, `${lines.join('\n')}\n`, numbers)
      if (rows.length > 0) yield rows
    }
    const rows = await fed(parser, undefined, numbers)
    if (rows.length > 0) yield rows
  } catch (error) {
    throw error instanceof CsvError ? usageError(error, where, numbers) : error
  } finally {
    parser.destroy()
  }
}

/** @param text `undefined` at the end. @returns the rows that it completes. */
async function fed(parser: Parser, text: string | undefined, numbers: RowNumbers): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  const take = (): void => {
    for (let cells = parser.read() as string[] | null; cells !== null; cells = parser.read() as string[] | null) {
      rows.push({ line: numbers.next(cells), cells })
    }
  }
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve())
    if (text === undefined) parser.end(done)
    else parser.write(text, done)
    // The parser calls back when its rows are taken. Twice as fast as to wait for each row.
    take()
  })
  take()
  return rows
}

/** Counts the lines of rows. The parser's own count is wrong after CRLF in quotes, and costs as much as parsing. */
class RowNumbers {
  /** Of rows so far. */
  count = 0
  #next = 1
  /** Numbers of blank lines, some of which may be in quotes. */
  #blanks: number[] = []
  /** The index of the first of them from here on. */
  #at = 0

  add(first: number, lines: readonly string[]): void {
    // Before the first row none is removed: to copy them for each block takes O(n²).
    if (this.#at > 0) this.#blanks = this.#blanks.slice(this.#at)
    this.#at = 0
    for (const [at, line] of lines.entries()) if (line === '' || line === '\r') this.#blanks.push(first + at)
  }

  /** The number of the first line of the row after the last one. */
  next(cells: readonly string[]): number {
    this.count += 1
    for (; this.#blanks[this.#at] === this.#next; this.#at++) this.#next += 1
    const line = this.#next
    this.#next += 1
    for (const cell of cells) {
      for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) this.#next += 1
    }
    while ((this.#blanks[this.#at] ?? Infinity) < this.#next) this.#at += 1
    return line
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed quote',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'quote inside an unquoted column',
}

function usageError({ code, message, lines, records }: CsvError, where: string, numbers: RowNumbers): UsageError {
  // Found far behind the start of the row, unless rows before it are not taken yet.
  const isLate = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'].includes(code) && records === numbers.count
  const line = isLate ? numbers.next([]) : Number(lines)
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(where, line, 'row')
  return new UsageError(`${where}, line ${line}: ${reasons[code] ?? message}`)
}
