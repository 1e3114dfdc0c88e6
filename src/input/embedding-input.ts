/** The texts for embeddings, from arguments, files and standard input. Each document may contain many. */

import type { InputText } from '../api/embeddings/embed.ts'
import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { defaultColumn, type inputFormats } from '../fields/request-options.ts'
import { fileLines, inputChunks, type InputIo, standardInputChunks } from '../io/files/files.ts'
import { mayExist } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { exactJson, withExactNumbers } from '../io/json/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { parseJson } from '../io/json/parse.ts'
import { quote } from '../io/json/print.ts'
import { readLines, Replay } from '../io/text/lines.ts'
import { columnOf, readTable, rowValues, type Table, withOther } from './csv.ts'
import {
  type InputRecord,
  type InvalidRecord,
  isTable,
  namesIn,
  noSuchColumn,
  quotedNames,
  readLineRecords,
  recordFormatOf,
  type TableFormat,
  valueAt,
} from './records.ts'
import { readStdinText, readTextFile, shouldReadStdin, type TextSources, withoutFinalNewline } from './prompt.ts'

export interface InputFormat {
  /** Default: that of a file's extension; a text for other files and for standard input. */
  readonly format?: (typeof inputFormats)[number] | undefined
  /** The key of JSON objects with the text, or the column of a table by name or number from 1. */
  readonly column?: string | undefined
  /** What separates the cells of tables, in place of what their format or document says. */
  readonly delimiter?: string | undefined
  /** Columns of which each text has the values, in this order. Of a file, also `path` and `line`. */
  readonly keep?: readonly string[] | undefined
  /** The file that it is. */
  readonly path?: string | undefined
  /** Called for each table, before its first row. */
  readonly onTable?: (where: string, table: Table) => void
}

/** A part of the input. */
export interface TextSource {
  /** For errors. */
  readonly where: string
  /** What each of its texts is. */
  readonly unit: 'text' | 'line' | 'row'
  /** Called once. @throws UsageError if it cannot be read, or is not in its format. */
  read(): AsyncIterable<readonly InputText[]>
}

/**
 * The words, then the files, then standard input, which takes the place of a `-` among the words. Lines, JSON values and rows
 * are read one at a time, however large the document is.
 */
export function textSources(sources: TextSources & InputFormat, io: Io): TextSource[] {
  const { words, files = [] } = sources
  const hasOther = sources.hasOther || files.length > 0 || words.some((word) => word !== '-')
  // Nothing is sent of the others before a path that does not exist is named.
  const missing = files.find((path) => !/^-$|^https?:/i.test(path) && !mayExist(fileLines(path).path))
  if (missing !== undefined) return [fileSource(missing, sources, io)]
  const fromFiles = files.map((path) => fileSource(path, sources, io))
  const stdin = stdinSource({ ...sources, hasOther }, io)
  const index = words.indexOf('-')
  if (index === -1) return [inMemory(() => words, sources), ...fromFiles, stdin]
  const after = words.slice(index + 1).filter((word) => word !== '-')
  return [inMemory(() => words.slice(0, index), sources), stdin, inMemory(() => after, sources), ...fromFiles]
}

type LoadTexts = () => readonly string[] | Promise<readonly string[]>

/** @param load Each of its texts is a document. */
export function inMemory(load: LoadTexts, options: InputFormat = {}, where = ''): TextSource {
  return {
    where,
    unit: 'text',
    async *read() {
      const texts = await load()
      yield texts.map((text) => ({ text, line: 1, kept: keptOfPlace(options, 1, where || 'an argument') }))
    },
  }
}

/** An empty file is one empty text: the user named it. */
export function fileSource(path: string, sources: InputFormat, io: Io & InputIo, flag = '--file'): TextSource {
  const file = { ...sources, path }
  return documentSource(path === '-' ? stdinName : `${flag} ${path}`.trimStart(), recordFormatOf(path), file, {
    read: async () => [withoutFinalNewline((await readTextFile(path, io, { name: flag })).text)],
    chunks: () => inputChunks(path, flag, io),
  })
}

/** Empty standard input has no texts. */
function stdinSource(sources: TextSources & InputFormat, io: Io): TextSource {
  const reader = sources.words.includes('-') ? 'the argument -' : '--stdin'
  return documentSource(stdinName, undefined, sources, {
    read: async () => {
      const text = shouldReadStdin(sources, io) ? await readStdinText(reader, io) : ''
      return text === '' ? [] : [withoutFinalNewline(text)]
    },
    async *chunks() {
      if (shouldReadStdin(sources, io)) yield* standardInputChunks(reader, io)
    },
  })
}

/** @param named The format that the name of the document says. @param document `read` reads it as a text. */
function documentSource(
  where: string,
  named: InputFormat['format'],
  options: InputFormat,
  document: { read: LoadTexts; chunks(): AsyncIterable<Uint8Array> },
): TextSource {
  // Only a table has a delimiter.
  const format = options.format ?? named ?? (options.delimiter === undefined ? 'text' : 'csv')
  if (format === 'text') return inMemory(document.read, options, where)
  return {
    where,
    // JSON Lines may have blank lines, which are no texts.
    unit: isTable(format) ? 'row' : format === 'lines' ? 'line' : 'text',
    read: () => splitTexts(document.chunks(), where, format, options),
  }
}

const stdinName = 'standard input'

/** Splits a document into texts. @throws UsageError naming document and line if it is not in the format. */
async function* splitTexts(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  format: Exclude<InputFormat['format'], 'text' | undefined>,
  options: InputFormat,
): AsyncGenerator<readonly InputText[]> {
  if (isTable(format)) return yield* textsOfTable(chunks, where, format, options)
  if (format === 'lines') {
    for await (const { first, lines } of readLines(chunks, where)) {
      yield lines.map((text, at) => {
        const line = first + at
        return { text, line, kept: keptOfPlace(options, line, where) }
      })
    }
    return
  }
  const valueOf = (text: string, line: number): Pick<InputRecord, 'value'> => ({ value: parseJson(text, where, line) })
  const { keep, column } = options
  const missing = new Set(keep)
  let names: readonly string[] | undefined
  for await (const items of readLineRecords(chunks, where, valueOf)) {
    yield items.flatMap((item) => {
      if ('isBlank' in item) return []
      const { line, raw, value } = valid(item)
      names ??= namesIn(value)
      for (const name of missing) if (valueAt(value, name) !== undefined) missing.delete(name)
      const text = textOfRecord({ line, raw, value }, where, column)
      const place = placeIn(options, line, names)
      return [{ text, line, kept: keep && keptOf(withExactNumbers(value, raw), keep, place) }]
    })
  }
  const known = placeIn(options, 0, names ?? [])
  for (const name of missing) if (names && !Object.hasOwn(known, name)) throw noSuchColumn(where, name, names)
}

/** The values as JSON, which takes less memory, and shares none with the rest of the record. */
function keptOf(value: Json | undefined, keep: readonly string[], place: JsonObject): string[] {
  return keep.map((name) => exactJson(valueAt(value ?? null, name) ?? place[name] ?? null))
}

/** The place of a text in a file, without what columns are named. */
function placeIn({ path }: InputFormat, line: number, names: readonly string[]): JsonObject {
  const place = path === undefined ? {} : { path, line }
  const others = Object.entries(place).filter(([name]) => !names.some((one) => one.trim().toLowerCase() === name))
  return Object.fromEntries(others)
}

/** @throws UsageError for other columns of a text than its place. */
function keptOfPlace(options: InputFormat, line: number, where: string): string[] | undefined {
  const place = placeIn(options, line, [])
  const isKnown = options.keep?.every((name) => Object.hasOwn(place, name)) ?? true
  if (!isKnown) throw new UsageError(`--keep: ${where} has no columns`)
  return options.keep && keptOf(undefined, options.keep, place)
}

/** @throws UsageError for a record that is invalid. */
function valid<Value extends Json>(item: InputRecord<Value> | InvalidRecord): InputRecord<Value> {
  if ('error' in item) throw item.error
  return item
}

function textOfRecord({ line, value }: InputRecord, where: string, column = defaultColumn): string {
  if (typeof value === 'string') return value
  const place = `${where}, line ${line}`
  if (!isObject(value)) throw invalidValue(place, { path: [], found: quote(value), expected: 'an object or a string' })
  const text = valueAt(value, column, [column])
  if (text === undefined) throw noColumn(place, 'key', column, Object.keys(value))
  if (typeof text !== 'string') throw invalidValue(place, { path: [column], found: quote(text), expected: 'a string' })
  return text
}

/** One text for each row below the header. Standard input without any needs no header. */
async function* textsOfTable(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  format: TableFormat,
  options: InputFormat,
): AsyncGenerator<readonly InputText[]> {
  let table: Table | undefined
  let index: number | undefined
  let valueOf: ReturnType<typeof rowValues> | undefined
  const { keep } = options
  const onTable = (known: Table): ((cells: string[]) => string[]) => {
    table = known
    options.onTable?.(where, known)
    index = columnIndex(known, options.column)
    const place = placeIn(options, 0, known.names)
    valueOf = keep && rowValues(known, { columns: keep.filter((name) => !Object.hasOwn(place, name)) })
    return (cells) => cells
  }
  let rows: InputRecord<string[]>[] = []
  const texts = (known: Table): InputText[] => {
    const at = (index ??= onlyTextColumn(known, rows.slice(0, rowsToJudge), where))
    // A copy: what is kept of a pipe would else keep the other columns, too.
    return rows.map(({ value, line }) => {
      const kept = keep && keptOf(valueOf?.(value), keep, placeIn(options, line, known.names))
      return { text: Buffer.from(value[at] ?? '').toString(), line, kept }
    })
  }
  for await (const items of readTable(chunks, where, { format, delimiter: options.delimiter, onTable })) {
    for (const item of items) if (!('isBlank' in item)) rows.push(valid(item))
    if (!table || (index === undefined && rows.length < rowsToJudge)) continue
    yield texts(table)
    rows = []
  }
  if (table) yield texts(table)
  else if (where !== stdinName) throw new UsageError(`${where}: empty; expected a header and rows`)
}

/** How many rows decide which column is the text. */
const rowsToJudge = 256

/**
 * By default, the column `text` or the only one. Names take precedence over numbers: a column may be named `2`.
 * @returns `undefined` if only the rows can show it.
 */
function columnIndex(table: Table, column: string | undefined): number | undefined {
  const { names, place, dialect } = table
  const named = columnOf(table, column ?? defaultColumn)
  if (named !== -1) return named
  if (column === undefined && names.length > 1) return undefined
  // With another delimiter, whole rows would be the texts.
  if (column === undefined && dialect.other === undefined) return 0
  const number = /^[1-9]\d*$/.test(column ?? '') ? Number(column) : 0
  if (number >= 1 && number <= names.length) return number - 1
  throw noColumn(place, 'column', column ?? defaultColumn, names)
}

/** The only column with values that are not numbers, in the first rows. */
function onlyTextColumn({ names, dialect }: Table, rows: readonly InputRecord<string[]>[], where: string): number {
  const columns = [...names.keys()].filter((at) => rows.some(({ value }) => Number.isNaN(Number(value[at]))))
  const [index] = columns
  if (index !== undefined && columns.length === 1) return index
  const found =
    index === undefined
      ? `no column of text (available: ${quotedNames(names)})`
      : `several columns of text (${quotedNames(columns.map((at) => names[at] ?? ''))})`
  throw withOther(new UsageError(`${where}: ${found}`, { hint: columnHint('column') }), dialect)
}

function columnHint(kind: 'key' | 'column'): string {
  return `use --column to name the ${kind} of the text`
}

function noColumn(place: string, kind: 'key' | 'column', name: string, known: readonly string[]): UsageError {
  return noSuchColumn(place, name, known, `${kind} named`, columnHint(kind))
}

/** How much is kept before it is sent, in bytes of UTF-16, with `textOverhead` for each text. */
const readAheadSize = 16 * 1024 * 1024
const textOverhead = 72

export class CheckedTexts {
  readonly #sources: readonly { readonly source: TextSource; count: number }[]
  readonly #texts = new Replay(this.#readSources())
  /** Whether `check` has reached the end of all sources. */
  isComplete = false

  constructor(sources: readonly TextSource[]) {
    this.#sources = sources.map((source) => ({ source, count: 0 }))
  }

  /**
   * Yields the first 16 MiB of texts. What is behind them is checked while it is sent: a pipe may never end.
   * @throws UsageError as the sources do.
   */
  async *check(): AsyncGenerator<readonly InputText[], void, undefined> {
    let keptSize = 0
    for await (const texts of this.#texts.start()) {
      yield texts
      const strings = texts.flatMap(({ text, kept = [] }) => [text, ...kept])
      for (const { length } of strings) keptSize += 2 * length + textOverhead
      if (keptSize >= readAheadSize) return
    }
    this.isComplete = true
  }

  async *#readSources(): AsyncGenerator<readonly InputText[], void, undefined> {
    for (const counted of this.#sources) {
      for await (const texts of counted.source.read()) {
        counted.count += texts.length
        yield texts
      }
    }
  }

  /** The place of texts: `--file a.txt, lines 65 to 128`. @param first Index among those of all sources. */
  locationText(first: number, count: number): string {
    const start = this.#locate(first)
    const end = this.#locate(first + count - 1)
    const name = (unit: string, where: string): string => (where === '' ? unit : `${where}, ${unit}`)
    if (count === 1) return name(`${start.unit} ${start.number}`, start.where)
    if (start.where === end.where) return name(`${start.unit}s ${start.number} to ${end.number}`, start.where)
    return `${name(`${start.unit} ${start.number}`, start.where)}, to ${name(`${end.unit} ${end.number}`, end.where)}`
  }

  /** The number counts from 1 in its source. */
  #locate(index: number): { where: string; unit: TextSource['unit']; number: number } {
    let before = 0
    for (const { source, count } of this.#sources) {
      if (index < before + count) return { ...source, number: index - before + 1 }
      before += count
    }
    return { where: '', unit: 'text', number: index + 1 }
  }

  /** Yields all texts, once after `check`. @throws UsageError as the sources do. */
  read(): AsyncIterable<readonly InputText[]> {
    return this.#texts.all()
  }
}
