/** Splits a document into records, one a line or one a row of a table, and looks values up in them. */

import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { orList } from '../fields/problem.ts'
import { isObject, type Json } from '../io/json/json.ts'
import { notLines } from '../io/text/first-bytes.ts'
import { readLines } from '../io/text/lines.ts'

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

/** @param flag The option that names a column. */
export function needsRecords(flag: string): UsageError {
  return new UsageError(`${flag} needs --input-format ${orList(recordFormats)}, or a file with that extension`)
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

/** A line or row that is not in the format of the document. A row of a table has its cells, unless there are too few or too many. */
export interface InvalidRecord extends Pick<InputRecord, 'line' | 'raw'> {
  readonly value?: Json | undefined
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
  let isFirst = true
  const itemOf = (raw: string, line: number): InputItem => {
    if (raw.trim() === '') return { line, isBlank: true }
    try {
      return { line, raw, ...valueOf(raw, line) }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const problem = isFirst && notLines(where, raw)
      if (problem) throw problem
      return { line, raw, error }
    } finally {
      isFirst = false
    }
  }
  for await (const { first, lines } of readLines(chunks, where)) {
    yield lines.map((line, at) => itemOf(line, first + at))
  }
}

/** The name for the whole record. */
export const wholeRecord = '.'

/**
 * What `{{name}}` and `--keep name` take of a record. A column whose name contains a point comes before the path that it may
 * also be, and one named `.`, as files have for their text, before the whole record.
 */
export function valueAt(value: Json, name: string, path: readonly string[] = name.split('.')): Json | undefined {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  if (name === wholeRecord) return value
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

/** The error for a column that `valueAt` does not find. @param known Those of the record. */
export function missingColumn(where: string, name: string, known: readonly string[]): UsageError {
  const isLine = known[0] === wholeRecord
  const hint = isLine ? 'use {{.}} for the whole line, or --var; for a table, use --input-format csv or tsv' : undefined
  return noSuchColumn(where, name, known, 'column', hint)
}

/** The names in `--keep a,b`. @param isOther Whether the output has such a column besides. @throws UsageError for two, and no name. */
export function keptColumns(keep: readonly string[], isOther: (name: string) => boolean): string[] {
  const names = keep.flatMap((list) => list.split(',')).map((name) => name.trim())
  if (names.includes('')) throw new UsageError('--keep: the name of a column is empty')
  const repeated = names.find((name, at) => names.indexOf(name) !== at || isOther(name))
  if (repeated !== undefined) throw new UsageError(`--keep: the output has two columns named "${repeated}"`)
  return names
}
