/** Reads several texts for embeddings, from arguments, files and standard input. Each document may contain many. */

import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { inputChunks, standardInputChunks } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { isObject, parseJson, quote } from '../io/json.ts'
import { type LineBlock, readLines } from '../io/lines.ts'
import { readStdinText, readTextFile, shouldReadStdin, withoutFinalNewline, type TextSources } from './text.ts'

/** A document is one text, or has one per line, per JSON value or per CSV row. */
export const inputFormats = ['text', 'lines', 'jsonl', 'csv'] as const

export interface InputFormat {
  readonly format: (typeof inputFormats)[number]
  /** The key of JSON objects with the text, or the CSV column by name or number from 1. */
  readonly column?: string | undefined
}

export const defaultColumn = 'text'

/**
 * Yields the words, then the texts of the files, then those of standard input, which takes the place of a `-` among
 * the words. Lines, JSON values and rows are read one at a time, however large the document is.
 * @throws UsageError if a source cannot be read, or is not in the format.
 */
export async function* readTexts(
  sources: TextSources & InputFormat,
  io: Io,
): AsyncGenerator<readonly string[], void, undefined> {
  const { words, files = [] } = sources
  const index = words.indexOf('-')
  const hasOther = sources.hasOther || files.length > 0 || words.some((word) => word !== '-')
  yield index === -1 ? words : words.slice(0, index)
  if (index !== -1) {
    yield* readStdinTexts({ ...sources, hasOther }, io)
    yield words.slice(index + 1).filter((word) => word !== '-')
  }
  for (const path of files) yield* readFileTexts(path, sources, io)
  if (index === -1) yield* readStdinTexts({ ...sources, hasOther }, io)
}

/** An empty file is one empty text: the user named it. */
async function* readFileTexts(path: string, sources: InputFormat, io: Io): AsyncGenerator<readonly string[]> {
  if (sources.format === 'text') yield [withoutFinalNewline(await readTextFile(path, io))]
  else {
    const where = path === '-' ? stdinName : `--file ${path}`
    yield* splitTexts(inputChunks(path, '--file', io), where, sources)
  }
}

/** Empty standard input has no texts. */
async function* readStdinTexts(sources: TextSources & InputFormat, io: Io): AsyncGenerator<readonly string[]> {
  if (!shouldReadStdin(sources, io)) return
  const reader = sources.words.includes('-') ? 'the argument -' : '--stdin'
  if (sources.format === 'text') {
    const text = await readStdinText(reader, io)
    if (text !== '') yield [withoutFinalNewline(text)]
  } else yield* splitTexts(standardInputChunks(reader, io), stdinName, sources)
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
  { format, column }: InputFormat,
): AsyncGenerator<readonly string[]> {
  const blocks = withoutNulls(readLines(chunks, where), where)
  if (format === 'csv') return yield* textsOfTable(blocks, where, column)
  for await (const { first, lines } of blocks) {
    const texts = lines.map((line) => line.replace(/\r$/, ''))
    yield format === 'lines' ? texts : texts.flatMap((line, at) => textOfLine(line, first + at, where, column))
  }
}

/** Null bytes are those of an image, or of text in UTF-16. */
async function* withoutNulls(blocks: AsyncIterable<LineBlock>, where: string): AsyncGenerator<LineBlock> {
  for await (const block of blocks) {
    const at = block.lines.findIndex((line) => line.includes('\0'))
    if (at !== -1) throw new UsageError(`${where}, line ${block.first + at}: not text: it contains a null byte`)
    yield block
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
  column: string | undefined,
): AsyncGenerator<readonly string[]> {
  const { readRows } = await import('./csv.ts')
  let isEmpty = true
  let index: number | undefined
  let texts: string[] = []
  const watched = async function* (): AsyncGenerator<LineBlock> {
    for await (const block of blocks) {
      isEmpty = false
      yield block
    }
  }
  for await (const row of readRows(watched(), where)) {
    if (index === undefined) index = columnIndex(row, where, column)
    else texts.push(row[index] ?? '')
    if (texts.length === rowsAtOnce) {
      yield texts
      texts = []
    }
  }
  if (index === undefined && !(isEmpty && where === stdinName)) {
    throw new UsageError(`${where}: empty; expected a header and rows`)
  }
  yield texts
}

const rowsAtOnce = 256

/** By default, the column `text` or the only one. Names take precedence over numbers: a column may be named `2`. */
function columnIndex(header: readonly string[], where: string, column: string | undefined): number {
  const named = header.indexOf(column ?? defaultColumn)
  if (named !== -1) return named
  if (column === undefined && header.length === 1) return 0
  const number = /^[1-9]\d*$/.test(column ?? '') ? Number(column) : 0
  if (number >= 1 && number <= header.length) return number - 1
  throw noSuchColumn(`${where}, line 1`, 'column', column ?? defaultColumn, header)
}

function noSuchColumn(where: string, kind: 'key' | 'column', name: string, known: readonly string[]): UsageError {
  const names = known.map((one) => JSON.stringify(one)).join(', ')
  const message = `${where}: no ${kind} named ${JSON.stringify(name)} (available: ${names || 'none'})`
  return new UsageError(message, { hint: `use --column to name the ${kind} of the text` })
}

/** In bytes of UTF-16, with `textOverhead` for each text. */
const readAheadSize = 64 * 1024 * 1024
const textOverhead = 32

/** Texts of which the first are in memory. */
export interface ReadAhead {
  readonly start: readonly (readonly string[])[]
  /** The others; `undefined` if there are none. */
  readonly rest: AsyncIterable<readonly string[]> | undefined
}

/**
 * Reads up to 64 MiB of texts. Almost all input ends before that, so that all of it is checked before anything is sent;
 * the rest is checked while it is sent.
 */
export async function readAhead(texts: AsyncIterable<readonly string[]>): Promise<ReadAhead> {
  const reads = texts[Symbol.asyncIterator]()
  const start: (readonly string[])[] = []
  let size = 0
  while (size < readAheadSize) {
    const { done, value } = await reads.next()
    if (done) return { start, rest: undefined }
    start.push(value)
    for (const text of value) size += 2 * text.length + textOverhead
  }
  return { start, rest: { [Symbol.asyncIterator]: () => reads } }
}
