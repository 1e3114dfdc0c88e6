/** Reads CSV and TSV as programs write them: each row has its own line end. */

import { UsageError } from '../errors.ts'
import { maxRecordSize, readLines, tooLong } from '../io/text/lines.ts'

export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number
  readonly cells: string[]
  /** Why the cells may not be those that were meant. */
  readonly problem: string | undefined
}

export interface Dialect {
  /** What separates the cells. */
  readonly delimiter: string
  /** Whether the document shows it. */
  readonly isFound: boolean
  /** Another delimiter that the header has. */
  readonly other: string | undefined
  /** Whether the first line is no row, but names the delimiter. */
  readonly isNamed: boolean
  /** Whether the header was read to its end. */
  readonly isCertain: boolean
}

/** In characters. Of a longer header, the start shows the delimiter. */
const maxHeader = 65_536

/**
 * The rows of each block, starting with the header. Blank lines are skipped. Callers compare the number of cells with that of
 * the header.
 * @param preset The delimiter if no other is given or found.
 * @throws UsageError naming document and line if no further row can be read.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  preset: string,
  given: string | undefined,
): AsyncGenerator<{ readonly dialect: Dialect; readonly rows: readonly CsvRow[] }, void, undefined> {
  let dialect = dialectOf('', preset, given)
  let held = ''
  let rows: CsvRow[] = []
  /** The numbers of this line, and of the first one of the row. */
  let [line, first] = [1, 1]
  let cells: string[] = []
  let cell = ''
  /** Whether the cell has quotes: none, an opening one, a closing one at its end, or one before. */
  let quotes: 'none' | 'open' | 'closed' | 'past' = 'none'
  let problem: string | undefined

  function endCell(): void {
    cells.push(cell)
    cell = ''
    quotes = 'none'
  }

  function endRow(): void {
    const isBlankLine = cells.length === 0 && cell === '' && quotes === 'none'
    endCell()
    if (!isBlankLine && !(dialect.isNamed && first === 1)) rows.push({ line: first, cells, problem })
    cells = []
    problem = undefined
    line += 1
    first = line
  }

  function add(token: string): void {
    const isLineEnd = token === '\n' || token === '\r\n' || token === '\r'
    // Many programs write TSV without quoting, so a quote inside a value is text.
    const isLiteral = dialect.delimiter === '\t'
    if (quotes === 'open') {
      if (token === '"') quotes = 'closed'
      else cell += token
      if (isLineEnd) line += 1
    } else if (isLineEnd) endRow()
    else if (token === dialect.delimiter) endCell()
    else if (token === '"' && quotes === 'closed') {
      cell += token
      quotes = 'open'
    } else if (token === '"' && quotes === 'none' && (isLiteral ? cell === '' : isBlank(cell))) {
      cell = ''
      quotes = 'open'
    } else if (quotes === 'none' || isLiteral) {
      if (token === '"' && !isLiteral) problem ??= 'quote inside an unquoted column'
      cell = quotes === 'none' ? cell + token : `"${cell}"${token}`
      quotes = 'none'
    } else {
      if (!isBlank(token)) problem ??= 'text after a closing quote'
      quotes = 'past'
    }
  }

  function take(isEnd: boolean): readonly CsvRow[] {
    const special = `"\\n\\r\\u{${dialect.delimiter.codePointAt(0)?.toString(16)}}`
    rows = []
    for (const [token] of held.matchAll(new RegExp(`\\r\\n|[${special}]|[^${special}]+`, 'gu'))) add(token)
    held = ''
    const size = cells.reduce((sum, { length }) => sum + length, cell.length)
    if (size > maxRecordSize) throw tooLong(where, first, 'row')
    if (isEnd && quotes === 'open') throw new UsageError(`${where}, line ${first}: unclosed quote`)
    if (isEnd) endRow()
    return rows
  }

  for await (const { text } of readLines(chunks, where)) {
    held += text
    if (!dialect.isCertain) dialect = dialectOf(held.slice(0, maxHeader), preset, given)
    if (dialect.isCertain) yield { dialect, rows: take(false) }
  }
  yield { dialect, rows: take(true) }
}

/** @param start Of the document. */
function dialectOf(start: string, preset: string, given: string | undefined): Dialect {
  // The line by which Excel finds the delimiter.
  const [first = '', named] = /^"?sep=([^"\r\n])"?(?:\r\n?|\n|$)/iu.exec(start) ?? []
  const unquoted = start.slice(first.length).replace(/(?<=^|[,;|\t\r\n] *)"(?:[^"]+|"")*(?:"|$)/g, '"')
  const [, header = '', end] = /^[\r\n]*([^\r\n]*)([\r\n])?/.exec(unquoted) ?? []
  const likely = [';', '\t', '|', ','].filter((one) => header.includes(one))
  const [only = preset] = likely
  const delimiter = given ?? named ?? (likely.length === 1 && only !== ',' ? only : preset)
  const isFound = given === undefined && delimiter !== preset
  const other = [...likely, ...(isFound && named === undefined ? [preset] : [])].find((one) => one !== delimiter)
  const isCertain = end !== undefined || start.length === maxHeader
  return { delimiter, isFound, other, isNamed: first !== '', isCertain }
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text)
}
