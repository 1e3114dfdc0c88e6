/** Reads tables: finds the delimiter and the header, and makes values of the rows below it. */

import { UsageError, withAddedHint } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import type { TableStyle } from '../io/text/csv-text.ts'
import { readLines } from '../io/text/lines.ts'
import { countText } from '../io/text/plural.ts'
import { type CsvRow, CsvRowReader } from './csv-rows.ts'
import { type InputItem, missingColumn, type TableFormat, wholeRecord } from './records.ts'
import type { Template } from './template.ts'

interface CsvDialect extends TableStyle {
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
  let dialect = csvDialectOf('', format, given)
  let unread = ''
  let reader: CsvRowReader | undefined
  let itemOf: ItemOf<Value> | undefined

  const newReader = (): CsvRowReader => {
    unread = unread.slice(dialect.mark.length)
    return new CsvRowReader(dialect.delimiter, where)
  }

  function itemsOf(rows: readonly CsvRow[]): InputItem<Value>[] {
    const items: InputItem<Value>[] = []
    for (const row of rows) {
      if (dialect.isNamed && row.line === 1) continue
      if (itemOf) items.push(itemOf(row))
      else {
        if (row.problem !== undefined) throw new UsageError(`${where}, line ${row.line}: ${row.problem}`)
        // A spreadsheet may have empty rows above its table.
        if (!isEmpty(row)) itemOf = openTable(row, where, dialect, onTable)
      }
    }
    return items
  }

  try {
    for await (const { text } of readLines(chunks, where, true)) {
      unread += text
      if (!reader) {
        dialect = csvDialectOf(unread.slice(0, maxHeader), format, given)
        if (!dialect.isCertain) continue
        reader = newReader()
      }
      const items = itemsOf(reader.read(unread))
      unread = ''
      if (items.length > 0) yield items
    }
    reader ??= newReader()
    const last = [...itemsOf(reader.read(unread)), ...itemsOf(reader.end())]
    if (last.length > 0) yield last
  } catch (error) {
    throw error instanceof UsageError ? withOther(error, dialect) : error
  }
}

type ItemOf<Value extends Json> = (row: CsvRow) => InputItem<Value>

/** @returns what makes an item of a row below the header. @throws UsageError for a table that cannot be used. */
function openTable<Value extends Json>(
  { cells: names, line }: CsvRow,
  where: string,
  dialect: CsvDialect,
  onTable: TableOptions<Value>['onTable'],
): ItemOf<Value> {
  const table: Table = { names, place: `${where}, line ${line}`, dialect, emptyRows: 0 }
  const valueOf = onTable(table)
  return (row) => {
    const { line, cells } = row
    if (!isEmpty(row)) {
      const isUneven = cells.length !== names.length
      const problem = row.problem ?? (isUneven ? 'the number of columns differs from the header' : undefined)
      const raw = JSON.stringify(cells)
      const value = isUneven ? undefined : valueOf(cells)
      if (problem !== undefined) {
        const error = withOther(new UsageError(`${where}, line ${line}: ${problem}`), dialect)
        return { line, raw, value, error }
      }
      if (value !== undefined) return { line, raw, value }
    }
    table.emptyRows += 1
    return { line, isBlank: true }
  }
}

function isEmpty({ problem, cells }: CsvRow): boolean {
  return problem === undefined && cells.every((text) => text.trim() === '')
}

/** @param document Its start. */
function csvDialectOf(document: string, format: TableFormat, given: string | undefined): CsvDialect {
  const preset = format === 'tsv' ? '\t' : ','
  const [mark = ''] = /^\ufeff?/.exec(document) ?? []
  const start = document.slice(mark.length)
  // The line by which Excel finds the delimiter.
  const [nameLine = '', named] = /^"?sep=([^"\r\n])"?\1*(?:\r\n?|\n|$)/iu.exec(start) ?? []
  const unquoted = start.slice(nameLine.length).replace(/"(?<=(?:^|[,;|\t\r\n]) *")(?:[^"]+|"")*(?:"|$)/g, '"')
  const [, header = '', end] = /^[\r\n]*([^\r\n]*)(\r\n|[\r\n])?/.exec(unquoted) ?? []
  const likely = [';', '\t', '|', ','].filter((one) => header.includes(one))
  const [only = preset] = likely
  const delimiter = given ?? named ?? (likely.length === 1 && only !== ',' ? only : preset)
  const isFound = given === undefined && delimiter !== preset
  const other = [...likely, ...(isFound && named === undefined ? [preset] : [])].find((one) => one !== delimiter)
  const isCertain = end !== undefined || document.length === maxHeader
  const style = { format, mark, delimiter, lineEnd: end ?? '\n' }
  return { ...style, isFound, other, isNamed: nameLine !== '', isCertain }
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
