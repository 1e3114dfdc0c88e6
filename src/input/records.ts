/** Splits a document into records, one a line or one a row of a table, and looks values up in them. */

import { extname } from 'node:path'
import { UsageError, withAddedHint } from '../errors.ts'
import { isObject, type Json, quote } from '../io/json/json.ts'
import { readLines } from '../io/text/lines.ts'
import type { Dialect } from './csv.ts'
import { countText } from '../io/text/plural.ts'

/** The format of a table. */
export type TableFormat = 'csv' | 'tsv'

export function isTable(format: string | undefined): format is TableFormat {
  return format === 'csv' || format === 'tsv'
}

/** Formats of documents whose records have several values. The extension of a file says that it has one of them. */
export const recordFormats = ['jsonl', 'csv', 'tsv'] as const

/** What a file's extension says; `undefined` for any other. */
export function recordFormatOf(path: string): (typeof recordFormats)[number] | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  return extension === 'ndjson' ? 'jsonl' : recordFormats.find((format) => format === extension)
}

/** @throws UsageError for a delimiter of anything but a table. */
export function checkDelimiter(delimiter: string | undefined, format: string | undefined): void {
  if (delimiter === undefined || format === undefined || isTable(format)) return
  throw new UsageError(`--delimiter needs a table; the input is ${format}`)
}

export interface InputRecord<Value extends Json = Json> {
  /** Number of its first line, from 1. */
  readonly line: number
  /** The text that it was read from: the line, or the cells of a row as a JSON array. */
  readonly raw: string
  /** The JSON value of the line; for a row, its cells by column; for plain lines, the line. */
  readonly value: Value
  /** Whether `value` has numbers of `withExactNumbers`. */
  readonly hasExactNumbers?: boolean
}

/** A line or row that is not in the format of the document. */
export interface InvalidRecord extends Pick<InputRecord, 'line' | 'raw'> {
  readonly error: UsageError
}

/** `isBlank` for a blank line, and for a row of a table that has no value that is used: these are no records. */
export type InputItem<Value extends Json = Json> =
  | InputRecord<Value>
  | InvalidRecord
  | { readonly line: number; readonly isBlank: true }

/**
 * @param valueOf Makes the value of a line that is not blank. @throws UsageError for an invalid line.
 * @returns the records, those that are invalid, and blank lines, in arrays: those of one block.
 * @throws UsageError naming document and line if no further record can be read.
 */
export async function* readLineRecords(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  valueOf: (text: string, line: number) => Pick<InputRecord, 'value' | 'hasExactNumbers'>,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  const itemOf = (raw: string, line: number): InputItem => {
    if (raw.trim() === '') return { line, isBlank: true }
    try {
      return { line, raw, ...valueOf(raw, line) }
    } catch (error) {
      if (error instanceof UsageError) return { line, raw, error }
      throw error
    }
  }
  for await (const { first, lines } of readLines(chunks, where)) {
    yield lines.map((line, at) => itemOf(line, first + at))
  }
}

/** A table whose header was read. */
export interface Table {
  /** Of the columns. */
  readonly names: readonly string[]
  /** Of the header, for errors. */
  readonly place: string
  readonly dialect: Dialect
  /** How many rows are left out so far. */
  emptyRows: number
}

export interface TableOptions<Value extends Json> {
  readonly format: TableFormat
  /** Of the cells, in place of that of the format or of the document. */
  readonly delimiter?: string | undefined
  /**
   * Called before the first row is read.
   * @returns what makes the value of a row; `undefined` for one to leave out.
   * @throws UsageError for a table that cannot be used.
   */
  onTable(table: Table): (cells: string[]) => Value | undefined
}

/**
 * @returns the rows below the header in arrays: those of one block. Those without any value are blank.
 * @throws UsageError naming document and line if no further row can be read.
 */
export async function* readTable<Value extends Json>(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  { format, delimiter, onTable }: TableOptions<Value>,
): AsyncGenerator<readonly InputItem<Value>[], void, undefined> {
  const { readCsvRows } = await import('./csv.ts')
  let table: Table | undefined
  let valueOf = (_cells: string[]): Value | undefined => undefined
  let known: Dialect | undefined
  try {
    for await (const { dialect, rows } of readCsvRows(chunks, where, format === 'tsv' ? '\t' : ',', delimiter)) {
      known = dialect
      const items: InputItem<Value>[] = []
      for (const { line, cells, problem } of rows) {
        const place = `${where}, line ${line}`
        const isEmpty = problem === undefined && cells.every((cell) => cell.trim() === '')
        if (!table) {
          // A spreadsheet may have empty rows above its table.
          if (isEmpty) continue
          if (problem !== undefined) throw new UsageError(`${place}: ${problem}`)
          table = { names: cells, place, dialect, emptyRows: 0 }
          valueOf = onTable(table)
          continue
        }
        const raw = JSON.stringify(cells)
        const isWhole = isEmpty || cells.length === table.names.length
        const reason = problem ?? (isWhole ? undefined : 'the number of columns differs from the header')
        const value = isEmpty || reason !== undefined ? undefined : valueOf(cells)
        if (reason !== undefined) {
          items.push({ line, raw, error: withOther(new UsageError(`${place}: ${reason}`), dialect) })
        } else if (value !== undefined) items.push({ line, raw, value })
        else {
          items.push({ line, isBlank: true })
          table.emptyRows += 1
        }
      }
      if (items.length > 0) yield items
    }
  } catch (error) {
    throw error instanceof UsageError ? withOther(error, known) : error
  }
}

/** The error, with a hint at another delimiter that the header has. */
export function withOther(error: UsageError, dialect: Dialect | undefined): UsageError {
  if (dialect?.other === undefined) return error
  return withAddedHint(error, `use ${flagOf(dialect.other)} if that separates the columns`)
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

/** The name for the whole record. */
export const wholeRecord = '.'

/**
 * What `{{name}}` and `--keep name` take of a record. A column whose name contains a point comes before the path that it may
 * also be.
 */
export function valueAt(value: Json, name: string, path: readonly string[] = name.split('.')): Json | undefined {
  if (name === wholeRecord) return value
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  let inner: Json | undefined = value
  for (const key of path) {
    inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
    if (inner === undefined) return undefined
  }
  return inner
}

/** The names that `valueAt` finds in a record, without paths. */
export function namesIn(value: Json): readonly string[] {
  return isObject(value) ? Object.keys(value) : [wholeRecord]
}

/** In an error. A record may have thousands. */
const maxNames = 20

/** `"title", "text"` */
export function quotedNames(names: readonly string[]): string {
  const quoted = names.slice(0, maxNames).map((name) => JSON.stringify(name))
  return [...quoted, ...(names.length > maxNames ? ['…'] : [])].join(', ')
}

/** `reviews.csv, line 1: no column "x" (available: "title", "text")` @param kind What is missing. */
export function noSuchColumn(
  where: string,
  name: string,
  known: readonly string[],
  kind = 'column',
  hint?: string,
): UsageError {
  const available = quotedNames(known) || 'none'
  return new UsageError(`${where}: no ${kind} ${JSON.stringify(name)} (available: ${available})`, { hint })
}
