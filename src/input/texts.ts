/** Reads several texts for embeddings, from arguments, files and standard input. Each document may contain many. */

import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import type { Io } from '../io/io.ts'
import { isObject, parseJson, quote } from '../io/json.ts'
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
 * Returns the words, then the texts of the files, then those of standard input, which takes the place of a `-` among
 * the words.
 * @throws UsageError if a source cannot be read, or is not in the format.
 */
export async function readTexts(sources: TextSources & InputFormat, io: Io): Promise<string[]> {
  const { words, files = [] } = sources
  let fromFiles: string[] = []
  for (const path of files) {
    const text = await readTextFile(path, io)
    fromFiles = fromFiles.concat(await splitTexts(text, path === '-' ? 'standard input' : `--file ${path}`, sources))
  }
  const hasOther = sources.hasOther || fromFiles.length > 0 || words.some((word) => word !== '-')
  const fromStdin = shouldReadStdin({ ...sources, hasOther }, io) ? await readStdinTexts(sources, io) : []
  const index = words.indexOf('-')
  if (index === -1) return [...words, ...fromFiles, ...fromStdin]
  const after = words.slice(index + 1).filter((word) => word !== '-')
  return [...words.slice(0, index), ...fromStdin, ...after, ...fromFiles]
}

/** Empty standard input has no texts. An empty file is one empty text: the user named it. */
async function readStdinTexts(sources: TextSources & InputFormat, io: Io): Promise<string[]> {
  const text = await readStdinText(sources.words.includes('-') ? 'the argument -' : '--stdin', io)
  if (text.includes('\0')) throw new UsageError('standard input: not text')
  return text === '' ? [] : splitTexts(text, 'standard input', sources)
}

/**
 * Splits a document into texts.
 * @param where The document, for errors.
 * @throws UsageError naming document and line if it is not in the format.
 */
export async function splitTexts(document: string, where: string, { format, column }: InputFormat): Promise<string[]> {
  switch (format) {
    case 'text':
      return [withoutFinalNewline(document)]
    case 'lines':
      return splitLines(document)
    case 'jsonl':
      return splitLines(document).flatMap((line, index) => textOfLine(line, index + 1, where, column))
    case 'csv':
      return textsOfTable(document, where, column)
  }
}

/** Blank lines count; a final newline does not start another line. */
function splitLines(document: string): string[] {
  return document === '' ? [] : withoutFinalNewline(document).split(/\r?\n/)
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

/** One text for each row below the header. */
async function textsOfTable(document: string, where: string, column: string | undefined): Promise<string[]> {
  const { forEachRow } = await import('./csv.ts')
  const texts: string[] = []
  let index: number | undefined
  forEachRow(document, where, (row) => {
    if (index === undefined) index = columnIndex(row, where, column)
    else texts.push(row[index] ?? '')
  })
  if (index === undefined) throw new UsageError(`${where}: empty; expected a header and rows`)
  return texts
}

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
