/** Splits a document into records. */

import { extname } from 'node:path'
import { UsageError } from '../../errors.ts'
import { parseExactJson } from '../../fields/numbers.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  parseJsonIfValid,
  quote,
  withExactNumbers,
} from '../../io/json.ts'
import { delimiterOf, isTable } from '../../input/texts.ts'
import type { LineBlock } from '../../io/lines.ts'
import type { InputItem } from '../row.ts'
import { noSuchColumn, type Template, wholeRecord } from './template.ts'

/**
 * Lines of OpenAI's and of Anthropic's batches, any JSON values, tables with a header, and plain lines.
 */
export const batchInputFormats = ['openai', 'anthropic', 'jsonl', 'csv', 'tsv', 'lines'] as const

export type BatchInputFormat = (typeof batchInputFormats)[number]

/** What the extension of a file says: `json` if the first line decides which lines of JSON these are. */
export function formatOfPath(path: string): 'csv' | 'tsv' | 'json' | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  if (extension === 'csv' || extension === 'tsv') return extension
  return ['jsonl', 'ndjson'].includes(extension) ? 'json' : undefined
}

/**
 * @param line The first that is not blank; empty if there is none.
 * @param isJson Whether the file's extension says so.
 * @param hasTemplate With a template, records are data.
 */
export function formatOfLine(line: string, isJson: boolean, hasTemplate: boolean): BatchInputFormat {
  const text = line.trim()
  const value = parseJsonIfValid(text)
  if (!isJson && !text.startsWith('{') && typeof value !== 'string') return 'lines'
  if (hasTemplate || !isObject(value)) return 'jsonl'
  if (value.body !== undefined && (value.url !== undefined || value.method !== undefined)) return 'openai'
  return isObject(value.params) ? 'anthropic' : 'jsonl'
}

/** @throws UsageError for a JSON array that spans lines, or is the only line. */
export function rejectArray(line: string, where: string): void {
  if (!/^\s*\[\s*(\{|$)/.test(line)) return
  throw new UsageError(`${where}: a JSON array; expected one JSON value per line`, {
    hint: "convert it with jq -c '.[]'",
  })
}

/** What records are checked for as they are read. */
export interface RecordOptions {
  readonly format: BatchInputFormat
  /** The document, for errors. */
  readonly where: string
  readonly template?: Template | undefined
  /** Further columns that a table must have. */
  readonly columns?: readonly string[] | undefined
  /** Columns that it must not have: the output adds them to its own. */
  readonly added?: readonly string[] | undefined
  /** Of the cells of a table, in place of that of its format. */
  readonly delimiter?: string | undefined
  /** Gets the names of a table's columns, before the first row is read. */
  readonly onHeader?: ((names: readonly string[]) => void) | undefined
}

/**
 * @returns the records, those that are invalid, and blank lines (not in tables), in arrays: those of one block.
 * @throws UsageError if no record can be right: a table without the columns that the template names.
 */
export async function* readRecords(
  blocks: AsyncIterable<LineBlock>,
  options: RecordOptions,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  const { format, where, template } = options
  if (isTable(format)) return yield* rowsOfTable(blocks, delimiterOf(format, options.delimiter), options)
  if (format === 'lines') {
    const [column] = template?.columns ?? []
    if (column !== undefined) throw noSuchColumn(where, column, [wholeRecord])
  }
  const read = format === 'lines' ? plainLine : template || format === 'jsonl' ? dataLine : jsonLine
  const readItem = (raw: string, line: number): InputItem => withoutAdded(read(raw, line, where), options)
  for await (const { first, lines } of blocks) {
    yield lines.map((line, at) => {
      const raw = line.endsWith('\r') ? line.slice(0, -1) : line
      return raw.trim() === '' ? { line: first + at, isBlank: true } : readItem(raw, first + at)
    })
  }
}

/** An error in place of a record that has a column which the output adds. */
function withoutAdded(item: InputItem, { added = [], where }: RecordOptions): InputItem {
  if (!('value' in item) || !isObject(item.value)) return item
  const { line, raw, value } = item
  const twice = added.find((name) => Object.hasOwn(value, name))
  return twice === undefined ? item : { line, raw, error: keptTwice(`${where}, line ${line}`, twice) }
}

function keptTwice(where: string, name: string): UsageError {
  const message = `${where}: with --keep '*', the output would have two columns named ${quote(name)}`
  return new UsageError(message, { hint: 'name the columns to keep' })
}

function plainLine(raw: string, line: number): InputItem {
  return { line, raw, value: raw }
}

function jsonLine(raw: string, line: number, where: string): InputItem {
  return asItem(raw, line, () => parseExactJson(raw, where, line))
}

/** Data, or a request with columns of data, whose numbers are passed on as they are. */
function dataLine(raw: string, line: number, where: string): InputItem {
  const item = asItem(raw, line, () => parseJson(raw, where, line))
  if (!('value' in item)) return item
  const value = withExactNumbers(item.value, raw)
  return value === item.value ? item : { ...item, value, hasExactNumbers: true }
}

function asItem(raw: string, line: number, parse: () => Json): InputItem {
  try {
    return { line, raw, value: parse() }
  } catch (error) {
    if (error instanceof UsageError) return { line, raw, error }
    throw error
  }
}

async function* rowsOfTable(
  blocks: AsyncIterable<LineBlock>,
  delimiter: string,
  { where, template, columns = [], added = [], onHeader }: RecordOptions,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  const { otherDelimiter, readRows, unevenRow } = await import('../../input/csv.ts')
  let header: readonly string[] | undefined
  for await (const rows of readRows(blocks, where, delimiter)) {
    const items: InputItem[] = []
    for (const { line, cells } of rows) {
      if (header === undefined) {
        header = cells
        const place = `${where}, line ${line}`
        const missing = missingColumn(header, place, [...(template?.columns ?? []), ...columns])
        const other = missing && otherDelimiter(header)
        if (other) throw new UsageError(`${place}: ${other.found}`, { hint: `use ${other.flag}` })
        if (missing) throw missing
        const twice = added.find((name) => cells.includes(name))
        if (twice !== undefined) throw keptTwice(place, twice)
        onHeader?.(header)
        continue
      }
      const raw = JSON.stringify(cells)
      const isUneven = cells.length !== header.length
      items.push(
        isUneven ? { line, raw, error: unevenRow(where, line) } : { line, raw, value: rowValue(header, cells) },
      )
    }
    yield items
  }
}

/** @returns the error for a column that is missing. @throws UsageError for names that no table can have. */
function missingColumn(header: readonly string[], where: string, needed: readonly string[]): UsageError | undefined {
  const names = header.filter((name) => name !== '')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`${where}: two columns are named ${quote(twice)}`)
  // As a key it would set the prototype.
  if (names.includes('__proto__')) throw new UsageError(`${where}: a column cannot be named "__proto__"`)
  const missing = needed.find((name) => !names.includes(name))
  return missing === undefined ? undefined : noSuchColumn(where, missing, names)
}

function rowValue(header: readonly string[], cells: readonly string[]): JsonObject {
  const value: JsonObject = {}
  for (let at = 0; at < header.length; at++) value[header[at] ?? ''] = cells[at] ?? ''
  return value
}
