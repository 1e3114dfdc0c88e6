/** The input of a run: its format, its records, which can be read several times unless they come from a pipe, and its rows. */

import { UsageError } from '../../errors.ts'
import { parseExactJson } from '../../fields/numbers.ts'
import type { InputIo } from '../../io/files/files.ts'
import { withExactNumbers } from '../../io/json/exact-numbers.ts'
import { isObject, type Json } from '../../io/json/json.ts'
import { parseJson } from '../../io/json/parse.ts'
import { quote } from '../../io/json/print.ts'
import { readLines, Replay } from '../../io/text/lines.ts'
import { checkDelimiter, type InputItem, isTable, readLineRecords, wholeRecord } from '../../input/records.ts'
import { type NeededColumns, readTable, rowValues, type Table, tableNotes } from '../../input/csv.ts'
import { type BatchInputFormat, detectFormat } from './format.ts'
import { hashNumber } from '../sha256.ts'
import { openFiles } from './files.ts'
import { openSource, type Source } from './source.ts'

/** At most one of `limit` and `sample`. They count the records of the shard. */
export interface SelectionOptions {
  /** One of `count` parts of the input; `index` is from 1. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined
  /** The first records. */
  readonly limit?: number | undefined
  /** A number of random records, in input order. */
  readonly sample?: number | undefined
  /** Another seed is another sample (default: 0). */
  readonly seed?: number | undefined
}

export interface InputOptions extends SelectionOptions, NeededColumns {
  /** Default: that of the file's extension, or of the first line. */
  readonly format?: BatchInputFormat | undefined
  /** Called for the second record if the template is the same for all. @throws UsageError to refuse it. */
  readonly onRepeatedPrompt?: ((value: Json) => void) | undefined
  /** Between the cells of a table, in place of that of its format. */
  readonly delimiter?: string | undefined
  /** The files that are the rows, in place of a document. */
  readonly files?: { readonly patterns: readonly string[]; readonly output: string } | undefined
  /** The path for a copy of what can be read only once. Without it, such input is read once. */
  readonly spool?: string | undefined
}

export interface BatchInput extends Source {
  readonly format: BatchInputFormat
  /** The columns of a table. Known when its first row is read. */
  readonly table?: (Pick<Table, 'names'> & Partial<Pick<Table, 'dialect'>>) | undefined
  /** What the summary says of a table, as far as the last pass has read it. */
  notes(): readonly string[]
  /**
   * The selected records, those that are invalid, and blank lines or rows, in arrays: those of one block. A block of a
   * pipe is what has arrived. Ends early after the last record of `limit`.
   * @throws UsageError if the input cannot be read, is not text, has changed since it was opened, or lacks a column that
   *   `template` or `columns` name; the signal's reason.
   */
  read(): AsyncIterable<readonly InputItem[]>
}

/**
 * Opens the input. Without a format it reads to the first line that is not blank, for a sample to the end.
 * @param path `undefined` and `-` are standard input.
 * @throws UsageError if there is no input or it cannot be read; FailedError if the spool cannot be written.
 */
export async function openInput(path: string | undefined, options: InputOptions, io: InputIo): Promise<BatchInput> {
  if (options.files) checkFileColumns(options)
  const files = options.files && (await openFiles(options.files.patterns, options.files.output, io))
  const source = files ?? (await openSource(path, options.spool, io))
  const { where, isRepeatable } = source
  try {
    if (options.sample !== undefined && !isRepeatable) {
      throw new UsageError(`--sample reads the input twice: it needs a file, or --output to keep ${where}`)
    }
    let begun: Replay<Uint8Array> | undefined
    const readFirstLine = async (): Promise<string> => {
      begun = new Replay(source.chunks())
      for await (const { lines } of readLines(begun.start(), where)) {
        const line = lines.find((one) => one.trim() !== '')
        if (line !== undefined) return line
      }
      return ''
    }
    const format = files ? 'files' : (options.format ?? (await detectFormat(path, options, where, readFirstLine)))
    checkDelimiter(options.delimiter, format)
    let table: Table | undefined
    const onTable = (known: Table): void => void (table = known)
    const readAll = (): Blocks => {
      if (files) return files.read()
      const chunks = begun?.all() ?? source.chunks()
      begun = undefined
      return readRecords(chunks, where, format, options, onTable)
    }
    const select = await createSelection(options, readAll)
    return {
      ...source,
      format,
      get table() {
        return files ? { names: ['path'] } : table
      },
      notes: () => files?.notes() ?? (table ? tableNotes(table) : []),
      read: () => withOnePrompt(select(readAll()), options),
    }
  } catch (error) {
    source.close()
    throw error
  }
}

/** @throws UsageError without a template, and for a column that no file has. */
function checkFileColumns({ template, columns = [], added = [] }: InputOptions): void {
  if (!template) throw new UsageError("--files needs a template, such as -t 'Summarize: {{.}}'")
  const known = ['path', wholeRecord]
  const other = [...template.columns, ...columns].find((name) => !known.includes(name))
  if (other !== undefined) throw template.missing('--files', other, known)
  if (added.includes('path')) throw keptTwice('--files', 'path')
}

/** @throws UsageError if no record can be right: a table without the columns that the template names. */
async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  format: BatchInputFormat,
  options: InputOptions,
  onTable: (table: Table) => void,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  const { template, added = [], delimiter } = options
  if (isTable(format)) {
    return yield* readTable(chunks, where, {
      format,
      delimiter,
      onTable(table) {
        const valueOf = rowValues(table, options)
        const twice = added.find((name) => table.names.includes(name))
        if (twice !== undefined) throw keptTwice(table.place, twice)
        onTable(table)
        return valueOf
      },
    })
  }
  const column = format === 'lines' ? template?.columns.find((name) => name !== wholeRecord) : undefined
  if (column !== undefined) throw template?.missing(where, column, [wholeRecord])
  yield* readLineRecords(chunks, where, (text, line) => {
    if (format === 'lines') return { value: text }
    const isData = format === 'jsonl'
    const value = isData ? parseJson(text, where, line) : parseExactJson(text, where, line)
    const twice = isObject(value) ? added.find((name) => Object.hasOwn(value, name)) : undefined
    if (twice !== undefined) throw keptTwice(`${where}, line ${line}`, twice)
    // Data, or a request with columns of data: its numbers are passed on as they are.
    const exact = isData ? withExactNumbers(value, text) : value
    return exact === value ? { value } : { value: exact, hasExactNumbers: true }
  })
}

function keptTwice(place: string, name: string): UsageError {
  return new UsageError(`${place}: with --keep '*', the output would have two columns named ${quote(name)}`, {
    hint: 'name the columns to keep',
  })
}

/** Holds the first record back until it is known to be the only one, if the template is the same for all. */
async function* withOnePrompt(
  blocks: Blocks,
  { template, onRepeatedPrompt }: InputOptions,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  if (!onRepeatedPrompt || !template?.isConstant) return yield* blocks
  const read: InputItem[] = []
  let count = 0
  for await (const items of blocks) {
    for (const item of items) {
      if (!('isBlank' in item)) count += 1
      if (count > 1) onRepeatedPrompt('value' in item ? (item.value ?? null) : null)
      read.push(item)
    }
  }
  yield read
}

type Blocks = AsyncIterable<readonly InputItem[]>

/**
 * @param read The input, read once if a sample is taken.
 * @returns what selects the records of a pass over the input. It ends after the last one.
 */
async function createSelection(
  { shard, limit, sample, seed = 0 }: SelectionOptions,
  read: () => Blocks,
): Promise<(blocks: Blocks) => Blocks> {
  if (!shard && limit === undefined && sample === undefined) return (blocks) => blocks
  const isInShard = (raw: string): boolean => !shard || hashNumber(raw) % shard.count === shard.index - 1
  // The same records are drawn wherever they stand: the sample is those with the lowest hashes.
  const keyOf = (raw: string): number => hashNumber(`${seed}\n${raw}`)
  const keys: number[] = []
  if (sample !== undefined) {
    for await (const items of read()) {
      for (const item of items) if ('raw' in item && isInShard(item.raw)) keys.push(keyOf(item.raw))
    }
  }
  const lowest = Float64Array.from(keys).sort().subarray(0, sample)
  const highestKey = sample === undefined ? Infinity : (lowest.at(-1) ?? -1)
  const countOfHighest = lowest.length - lowest.indexOf(highestKey)
  return async function* (blocks) {
    let left = limit ?? Infinity
    let leftOfHighest = countOfHighest
    const isChosen = (item: InputItem): boolean => {
      if (!('raw' in item)) return !shard && sample === undefined && left > 0
      if (left === 0 || !isInShard(item.raw)) return false
      const key = sample === undefined ? -1 : keyOf(item.raw)
      if (key > highestKey || (key === highestKey && leftOfHighest-- <= 0)) return false
      left -= 1
      return true
    }
    for await (const items of blocks) {
      const selected = items.filter(isChosen)
      if (selected.length > 0) yield selected
      if (left === 0) return
    }
  }
}
