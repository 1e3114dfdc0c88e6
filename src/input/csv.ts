/** Reads CSV and TSV as programs write them: each row has its own line end. */

import { UsageError, withAddedHint } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { maxRecordSize, readLines, tooLong } from '../io/text/lines.ts'
import { countText } from '../io/text/plural.ts'
import { type InputItem, missingColumn, type TableFormat, wholeRecord } from './records.ts'
import type { Template } from './template.ts'

interface CsvDialect {
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

/** A table whose header was read. */
export interface Table {
  /** The names of the columns. */
  readonly names: readonly string[]
  /** The document and the line of the header, for errors. */
  readonly place: string
  readonly dialect: CsvDialect
  /** How many rows are left out so far. */
  emptyRows: number
}

interface TableOptions<Value extends Json> {
  readonly format: TableFormat
  /** What separates the cells, in place of what the format or the document says. */
  readonly delimiter?: string | undefined
  /**
   * Called before the first row is read.
   * @returns what makes the value of a row; `undefined` for one to leave out.
   * @throws UsageError for a table that cannot be used.
   */
  onTable(table: Table): (cells: string[]) => Value | undefined
}

/** In characters: the start of a longer header shows the delimiter. */
const maxHeader = 65_536

/**
 * @returns the rows below the header in arrays: those of one block. Those without any value are blank.
 * @throws UsageError naming document and line if no further row can be read.
 */
export async function* readTable<Value extends Json>(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  { format, delimiter: given, onTable }: TableOptions<Value>,
): AsyncGenerator<readonly InputItem<Value>[], void, undefined> {
  const preset = format === 'tsv' ? '\t' : ','
  let dialect = csvDialectOf('', preset, given)
  let table: Table | undefined
  let valueOf = (_cells: string[]): Value | undefined => undefined
  let items: InputItem<Value>[] = []
  let unread = ''
  /** The numbers of this line, and of the first one of the row. */
  let [line, first] = [1, 1]
  let cells: string[] = []
  let cell = ''
  /** Whether the cell has quotes: none, an opening one, a closing one at its end, or one before blanks. */
  let quotes: 'none' | 'open' | 'closed' | 'past' = 'none'
  /** What has followed the opening quote, which may turn out to be text; and the number of its line. */
  let opened: string[] = []
  let openedAt = 1
  /** Why the cells may not be those that were meant. */
  let problem: string | undefined

  function endCell(): void {
    cells.push(cell)
    cell = ''
    quotes = 'none'
  }

  function endRow(): void {
    const isBlankLine = cells.length === 0 && cell === '' && quotes === 'none'
    endCell()
    if (!isBlankLine && !(dialect.isNamed && first === 1)) addRow()
    cells = []
    problem = undefined
    line += 1
    first = line
  }

  function addRow(): void {
    const isEmpty = problem === undefined && cells.every((text) => text.trim() === '')
    if (table && !isEmpty && cells.length !== table.names.length) {
      problem ??= 'the number of columns differs from the header'
    }
    const error = problem === undefined ? undefined : new UsageError(`${where}, line ${first}: ${problem}`)
    if (table) {
      const raw = JSON.stringify(cells)
      const value = isEmpty || error ? undefined : valueOf(cells)
      if (error) items.push({ line: first, raw, error: withOther(error, dialect) })
      else if (value !== undefined) items.push({ line: first, raw, value })
      else {
        items.push({ line: first, isBlank: true })
        table.emptyRows += 1
      }
    } else if (error) throw error
    else if (!isEmpty) {
      // A spreadsheet may have empty rows above its table.
      table = { names: cells, place: `${where}, line ${first}`, dialect, emptyRows: 0 }
      valueOf = onTable(table)
    }
  }

  /** @returns what must be read again; `undefined` for nothing. */
  function add(token: string): readonly string[] | undefined {
    const isLineEnd = token === '\n' || token === '\r\n' || token === '\r'
    // Many programs write TSV without quoting, so a quote inside a value is text.
    const isLiteral = dialect.delimiter === '\t'
    if (quotes !== 'none') opened.push(token)
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
      opened = []
      openedAt = line
    } else if (quotes !== 'none' && !isLiteral && (isBlank(token) || openedAt === line)) {
      if (!isBlank(token)) problem ??= 'text after a closing quote'
      quotes = 'past'
    } else if (quotes !== 'none') return unquoted()
    else {
      if (token === '"' && !isLiteral) problem ??= 'quote inside an unquoted column'
      cell += token
    }
    return undefined
  }

  /** The opening quote opens nothing: what it seemed to hold may be the end of the row, and others. */
  function unquoted(): readonly string[] {
    if (dialect.delimiter !== '\t') problem = 'unclosed quote'
    line = openedAt
    cell = '"'
    quotes = 'none'
    return opened
  }

  function addAgain(tokens: readonly string[] | undefined): void {
    for (let rest = tokens ?? [], at = 0; at < rest.length; at++) {
      const again = add(rest[at] ?? '')
      if (!again) continue
      rest = [...again, ...rest.slice(at + 1)]
      at = -1
    }
  }

  /** @returns the rows that end in the unread text: whole lines, or the last one. */
  function take(isEnd: boolean): readonly InputItem<Value>[] {
    const special = `"\\n\\r\\u{${dialect.delimiter.codePointAt(0)?.toString(16)}}`
    items = []
    for (const [token] of unread.matchAll(new RegExp(`\\r\\n|[${special}]|[^${special}]+`, 'gu'))) addAgain(add(token))
    unread = ''
    const size = cells.reduce((sum, { length }) => sum + length, cell.length)
    if (size > maxRecordSize) throw tooLong(where, first, 'row')
    if (!isEnd) return items
    while (quotes === 'open') {
      // It may hide any number of rows.
      if (dialect.delimiter !== '\t') throw new UsageError(`${where}, line ${first}: unclosed quote`)
      addAgain(unquoted())
    }
    endRow()
    return items
  }

  try {
    for await (const { text } of readLines(chunks, where, true)) {
      unread += text
      if (!dialect.isCertain) dialect = csvDialectOf(unread.slice(0, maxHeader), preset, given)
      if (dialect.isCertain && take(false).length > 0) yield items
    }
    if (take(true).length > 0) yield items
  } catch (error) {
    throw error instanceof UsageError ? withOther(error, dialect) : error
  }
}

/** @param start The start of the document. */
function csvDialectOf(start: string, preset: string, given: string | undefined): CsvDialect {
  // The line by which Excel finds the delimiter.
  const [first = '', named] = /^"?sep=([^"\r\n])"?\1*(?:\r\n?|\n|$)/iu.exec(start) ?? []
  const unquoted = start.slice(first.length).replace(/"(?<=(?:^|[,;|\t\r\n]) *")(?:[^"]+|"")*(?:"|$)/g, '"')
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

/** The error, with a hint at another delimiter that the header has. */
export function withOther(error: UsageError, { other }: CsvDialect): UsageError {
  return other === undefined ? error : withAddedHint(error, `use ${flagOf(other)} if that separates the columns`)
}

/** What the summary says of a table. */
export function tableNotes({ dialect, emptyRows }: Table): string[] {
  const left = emptyRows === 0 ? [] : [`${countText(emptyRows, 'empty row')} left out`]
  return dialect.isFound ? [`read with ${flagOf(dialect.delimiter)}`, ...left] : left
}

function flagOf(delimiter: string): string {
  return `--delimiter ${delimiter === '\t' ? 'tab' : `'${delimiter}'`}`
}

/**
 * The column of a name, or the only one whose name differs from it no more than in case and in blanks around it.
 * @returns -1 without one. @throws UsageError for a name that two columns have.
 */
export function columnOf({ names, place }: Table, name: string): number {
  const similar = [...names.keys()].filter((at) => names[at]?.trim().toLowerCase() === name.trim().toLowerCase())
  const same = similar.filter((at) => names[at] === name)
  if (same.length > 1) throw new UsageError(`${place}: two columns are named ${quote(name)}`)
  const [first = -1, ...others] = same.length > 0 ? same : similar
  return others.length === 0 ? first : -1
}

/** What a command takes of each record. */
export interface NeededColumns {
  readonly template?: Template | undefined
  /** Further columns that a table must have: those of `--keep`. */
  readonly columns?: readonly string[] | undefined
  /** Columns that no record must have: the output adds them to those of the input, all of which it keeps. */
  readonly added?: readonly string[] | undefined
}

/**
 * @returns what makes the value of a row; `undefined` for one in which all columns of the template are empty.
 * @throws UsageError for a column that is missing, or that cannot be told from another one.
 */
export function rowValues(table: Table, options: NeededColumns): (cells: string[]) => JsonObject | undefined {
  const { template, columns = [], added } = options
  const { names, place } = table
  const known = names.filter((name) => name !== '')
  // A key of this name would set the prototype of the row's object.
  if (names.includes('__proto__')) throw new UsageError(`${place}: a column cannot be named "__proto__"`)
  const inPrompt = template?.columns ?? []
  const needed = new Set([...inPrompt, ...columns])
  if (needed.delete(wholeRecord) || added) for (const name of known) needed.add(name)
  const indexes = new Map([...needed].map((name) => [name, columnOf(table, name)]))
  for (const [name, at] of indexes) if (at === -1) throw (template?.missing ?? missingColumn)(place, name, known)
  const similar = [...indexes].filter(([name, at]) => names[at] !== name)
  // Two columns with one name are no id: nobody knows which of them it would be.
  const own = [...names.entries()].filter(
    ([at, name]) => name === '' || names.every((one, other) => one !== name || other === at),
  )
  return (cells) => {
    if (inPrompt.length > 0 && inPrompt.every((name) => cells[indexes.get(name) ?? -1]?.trim() === '')) return undefined
    const value: JsonObject = {}
    for (const [at, name] of own) value[name] = cells[at] ?? ''
    // By its name in another case, a column is found, but is no second one of the whole record.
    for (const [name, at] of similar) Object.defineProperty(value, name, { value: cells[at] })
    return value
  }
}
