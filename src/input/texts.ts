/** The texts for embeddings, from arguments, files and standard input. Each document may contain many. */

import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { inputChunks, isRegularFile, standardInputChunks } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { isObject, parseJson, quote } from '../io/json.ts'
import { type LineBlock, readLines, withoutNulls } from '../io/lines.ts'
import { readStdinText, readTextFile, shouldReadStdin, withoutFinalNewline, type TextSources } from './text.ts'

/** A document is one text, or has one per line, per JSON value or per row of a table. */
export const inputFormats = ['text', 'lines', 'jsonl', 'csv', 'tsv'] as const

/** Formats of documents whose records have several values, one of which is the text. */
export const recordFormats = ['jsonl', 'csv', 'tsv'] as const

export interface InputFormat {
  /** Default: that of a file's extension; a text for other files and for standard input. */
  readonly format?: (typeof inputFormats)[number] | undefined
  /** The key of JSON objects with the text, or the column of a table by name or number from 1. */
  readonly column?: string | undefined
  /** Of the cells of tables, in place of that of their format. */
  readonly delimiter?: string | undefined
}

/** The format of a table. */
export type TableFormat = 'csv' | 'tsv'

export function isTable(format: string | undefined): format is TableFormat {
  return format === 'csv' || format === 'tsv'
}

/** The character between the cells of a table. */
export function delimiterOf(format: TableFormat, given: string | undefined): string {
  return given ?? (format === 'tsv' ? '\t' : ',')
}

/** @param text The value of `--delimiter`. @throws UsageError unless it is one character, `tab` or `\t`. */
export function parseDelimiter(text: string | undefined): string | undefined {
  if (text === undefined || /^[^"\r\n\0]$/u.test(text)) return text
  if (text === 'tab' || text === '\\t') return '\t'
  throw invalidValue('--delimiter', { path: [], found: quote(text), expected: 'one character, such as ; or |, or tab' })
}

/** What a file's extension says; `undefined` for other files, which are texts. */
export function recordFormatOf(path: string): (typeof recordFormats)[number] | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  return extension === 'ndjson' ? 'jsonl' : recordFormats.find((format) => format === extension)
}

export const defaultColumn = 'text'

/** A part of the input. */
export interface TextSource {
  /** For errors. */
  readonly where: string
  /** What each of its texts is. */
  readonly unit: 'text' | 'line' | 'row'
  /** Whether it can be read twice: what is in memory, or a file that is not a pipe. */
  readonly isRepeatable: boolean
  /** @throws UsageError if it cannot be read, or is not in its format. */
  read(): AsyncIterable<readonly string[]>
}

/**
 * The words, then the files, then standard input, which takes the place of a `-` among the words. Lines, JSON values and rows
 * are read one at a time, however large the document is.
 */
export function textSources(sources: TextSources & InputFormat, io: Io): TextSource[] {
  const { words, files = [] } = sources
  const hasOther = sources.hasOther || files.length > 0 || words.some((word) => word !== '-')
  const fromFiles = files.map((path) => fileSource(path, sources, io))
  const stdin = stdinSource({ ...sources, hasOther }, io)
  const index = words.indexOf('-')
  if (index === -1) return [inMemory(() => words), ...fromFiles, stdin]
  const after = words.slice(index + 1).filter((word) => word !== '-')
  return [inMemory(() => words.slice(0, index)), stdin, inMemory(() => after), ...fromFiles]
}

/** @param load Called once. */
export function inMemory(load: () => readonly string[] | Promise<readonly string[]>, where = ''): TextSource {
  let loaded: ReturnType<typeof load> | undefined
  return {
    where,
    unit: 'text',
    isRepeatable: true,
    async *read() {
      yield await (loaded ??= load())
    },
  }
}

/** An empty file is one empty text: the user named it. */
function fileSource(path: string, sources: InputFormat, io: Io): TextSource {
  const format = sources.format ?? recordFormatOf(path) ?? defaultFormat(sources)
  const where = path === '-' ? stdinName : `--file ${path}`
  if (format === 'text') return inMemory(async () => [withoutFinalNewline(await readTextFile(path, io))], where)
  return {
    where,
    unit: unitOf(format),
    isRepeatable: path !== '-' && isRegularFile(path),
    read: () => splitTexts(inputChunks(path, '--file', io), where, format, sources),
  }
}

/** Only a table has a delimiter. */
function defaultFormat({ delimiter }: InputFormat): 'text' | 'csv' {
  return delimiter === undefined ? 'text' : 'csv'
}

/** JSON Lines may have blank lines, which are no texts. */
function unitOf(format: InputFormat['format']): TextSource['unit'] {
  if (isTable(format)) return 'row'
  return format === 'lines' ? 'line' : 'text'
}

/** Empty standard input has no texts. */
function stdinSource(sources: TextSources & InputFormat, io: Io): TextSource {
  const { format = defaultFormat(sources) } = sources
  const reader = sources.words.includes('-') ? 'the argument -' : '--stdin'
  const readText = async (): Promise<string[]> => {
    const text = shouldReadStdin(sources, io) ? await readStdinText(reader, io) : ''
    return text === '' ? [] : [withoutFinalNewline(text)]
  }
  if (format === 'text') return inMemory(readText, stdinName)
  return {
    where: stdinName,
    unit: unitOf(format),
    isRepeatable: false,
    async *read() {
      if (shouldReadStdin(sources, io)) {
        yield* splitTexts(standardInputChunks(reader, io), stdinName, format, sources)
      }
    },
  }
}

const stdinName = 'standard input'

/**
 * Splits a document into texts.
 * @param where The document, for errors.
 * @throws UsageError naming document and line if it is not in the format.
 */
async function* splitTexts(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  format: Exclude<InputFormat['format'], 'text' | undefined>,
  { column, delimiter }: InputFormat,
): AsyncGenerator<readonly string[]> {
  const blocks = withoutNulls(readLines(chunks, where), where)
  if (isTable(format)) return yield* textsOfTable(blocks, where, delimiterOf(format, delimiter), column)
  for await (const { first, lines } of blocks) {
    const texts = lines.map((line) => line.replace(/\r$/, ''))
    yield format === 'lines' ? texts : texts.flatMap((line, at) => textOfLine(line, first + at, where, column))
  }
}

/** @returns an empty array for a blank line. */
function textOfLine(line: string, number: number, where: string, column = defaultColumn): string[] {
  if (line.trim() === '') return []
  const value = parseJson(line, where, number)
  if (typeof value === 'string') return [value]
  const location = `${where}, line ${number}`
  if (!isObject(value))
    throw invalidValue(location, { path: [], found: quote(value), expected: 'an object or a string' })
  const text = value[column]
  if (text === undefined) throw noSuchColumn(location, 'key', column, Object.keys(value))
  if (typeof text !== 'string')
    throw invalidValue(location, { path: [column], found: quote(text), expected: 'a string' })
  return [text]
}

/** One text for each row below the header. Empty standard input needs no header. */
async function* textsOfTable(
  blocks: AsyncIterable<LineBlock>,
  where: string,
  delimiter: string,
  column: string | undefined,
): AsyncGenerator<readonly string[]> {
  const { otherDelimiter, readRows, unevenRow } = await import('./csv.ts')
  let isEmpty = true
  const watched = async function* (): AsyncGenerator<LineBlock> {
    for await (const block of blocks) {
      isEmpty = false
      yield block
    }
  }
  let header: readonly string[] | undefined
  let index: number | undefined
  let rows: (readonly string[])[] = []
  for await (const read of readRows(watched(), where, delimiter)) {
    for (const { line, cells } of read) {
      if (header === undefined) {
        header = cells
        const other = column !== '1' && !header.includes(column ?? '') ? otherDelimiter(header) : undefined
        // Whole rows would be the texts.
        if (other !== undefined) {
          throw new UsageError(`${where}, line ${line}: ${other.found}`, {
            hint: `use ${other.flag}, or --column 1 to take whole rows`,
          })
        }
        index = columnIndex(header, where, column)
        continue
      }
      if (cells.length !== header.length) throw unevenRow(where, line)
      rows.push(cells)
      if (rows.length < rowsAtOnce) continue
      yield textsOf(rows, (index ??= onlyTextColumn(header, rows, where)))
      rows = []
    }
  }
  if (header !== undefined) yield textsOf(rows, index ?? onlyTextColumn(header, rows, where))
  else if (!isEmpty || where !== stdinName) throw new UsageError(`${where}: empty; expected a header and rows`)
}

const rowsAtOnce = 256

function textsOf(rows: readonly (readonly string[])[], index: number): string[] {
  return rows.map((row) => row[index] ?? '')
}

/**
 * By default, the column `text` or the only one. Names take precedence over numbers: a column may be named `2`.
 * @returns `undefined` if only the rows can show it.
 */
function columnIndex(header: readonly string[], where: string, column: string | undefined): number | undefined {
  const named = header.indexOf(column ?? defaultColumn)
  if (named !== -1) return named
  if (column === undefined && header.length === 1) return 0
  if (column === undefined) return undefined
  const number = /^[1-9]\d*$/.test(column) ? Number(column) : 0
  if (number >= 1 && number <= header.length) return number - 1
  throw noSuchColumn(`${where}, line 1`, 'column', column, header)
}

/** The only column with values that are not numbers, in the first rows. */
function onlyTextColumn(header: readonly string[], rows: readonly (readonly string[])[], where: string): number {
  const columns = [...header.keys()].filter((at) => rows.some((row) => Number.isNaN(Number(row[at]))))
  const [index] = columns
  if (index !== undefined && columns.length === 1) return index
  const found =
    index === undefined
      ? `no column of text (available: ${namesOf(header)})`
      : `several columns of text (${namesOf(columns.map((at) => header[at] ?? ''))})`
  throw new UsageError(`${where}: ${found}`, { hint: columnHint('column') })
}

function namesOf(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}

function columnHint(kind: 'key' | 'column'): string {
  return `use --column to name the ${kind} of the text`
}

function noSuchColumn(where: string, kind: 'key' | 'column', name: string, known: readonly string[]): UsageError {
  const message = `${where}: no ${kind} named ${JSON.stringify(name)} (available: ${namesOf(known) || 'none'})`
  return new UsageError(message, { hint: columnHint(kind) })
}
