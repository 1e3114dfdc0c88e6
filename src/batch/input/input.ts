/** The input of a run: its format, and its records, which can be read several times unless they come from a pipe. */

import { UsageError } from '../../errors.ts'
import type { InputIo } from '../../io/files.ts'
import type { Json } from '../../io/json.ts'
import { readLines, withoutNulls, type LineBlock } from '../../io/lines.ts'
import { isTable } from '../../input/texts.ts'
import { NumberList } from './number-list.ts'
import { formatOfLine, formatOfPath, readRecords, rejectArray, type BatchInputFormat } from './records.ts'
import type { InputItem } from '../row.ts'
import { createSelection, type SelectionOptions } from './selection.ts'
import { openSource, type Digest, type Source } from './source.ts'
import type { Template } from './template.ts'

export interface InputOptions extends SelectionOptions {
  /** Default: that of the file's extension, or of the first line. */
  readonly format?: BatchInputFormat | undefined
  readonly template?: Template | undefined
  /** Called for the second record if the template is the same for all. @throws UsageError to refuse it. */
  readonly onRepeatedPrompt?: ((value: Json) => void) | undefined
  /** Further columns that a table must have: those of `--keep`. */
  readonly columns?: readonly string[] | undefined
  /** Columns that no record must have: the output adds them to those of the input, all of which it keeps. */
  readonly added?: readonly string[] | undefined
  /** Of the cells of a table, in place of that of its format. */
  readonly delimiter?: string | undefined
  /** Where to keep what can be read only once. Without it, such input is read once. */
  readonly spool?: string | undefined
}

export interface BatchInput {
  /** The document, for errors: the path, or `standard input`. */
  readonly where: string
  readonly format: BatchInputFormat
  /** Whether `read` can be called more than once. */
  readonly isRepeatable: boolean
  /** The names of a table's columns. Known when its first row is read. */
  readonly header?: readonly string[] | undefined
  /** Of the whole input, not only the selected records. Known when one pass has read it to its end. */
  readonly digest: Digest | undefined
  /**
   * The selected records, those that are invalid, and blank lines (not of tables), in arrays: those of one block. A block of a
   * pipe is what has arrived. Ends early after the last record of `limit`.
   * @throws UsageError if the input cannot be read, is not text, has changed since it was opened, or lacks a column that
   *   `template` or `columns` name; the signal's reason.
   */
  read(): AsyncIterable<readonly InputItem[]>
  /** As `read`, of all records, selected or not. */
  readAll(): AsyncIterable<readonly InputItem[]>
  /** Selects the records at these lines as well. @param lines In ascending order. */
  keep(lines: NumberList): void
  /** Of what can be read only once: keeps its copy at `spool`, in place of an older one. @throws FailedError */
  readonly keepCopy: (() => void) | undefined
  /** Removes a copy that is not kept. */
  close(): void
}

/**
 * Opens the input. Without a format it reads to the first line that is not blank, for a sample to the end.
 * @param path `undefined` and `-` are standard input.
 * @throws UsageError if there is no input or it cannot be read; FailedError if the spool cannot be written.
 */
export async function openInput(path: string | undefined, options: InputOptions, io: InputIo): Promise<BatchInput> {
  const source = await openSource(path, options.spool, io)
  try {
    if (options.sample !== undefined && !source.isRepeatable) {
      throw new UsageError(`--sample reads the input twice: it needs a file, or --output to keep ${source.where}`)
    }
    const lines = new Lines(source)
    const format = options.format ?? (await detectFormat(path, options, lines))
    if (options.delimiter !== undefined && !isTable(format))
      throw new UsageError(`--delimiter needs a table; the input is ${format}`)
    let header: readonly string[] | undefined
    const onHeader = (names: readonly string[]): void => void (header = names)
    const records = { ...options, format, where: source.where, onHeader }
    const readAll = (): AsyncIterable<readonly InputItem[]> => readRecords(lines.read(), records)
    const selection = await createSelection(options, readAll)
    let kept = new NumberList()
    const selectedRecords = async function* (): AsyncGenerator<readonly InputItem[], void, undefined> {
      const select = selection.start(kept)
      for await (const items of readAll()) {
        const { selected, isComplete } = select(items)
        if (selected.length > 0) yield selected
        if (isComplete) return
      }
    }
    return {
      where: source.where,
      format,
      isRepeatable: source.isRepeatable,
      get header() {
        return header
      },
      get digest() {
        return source.digest
      },
      read: () => withOnePrompt(selectedRecords(), options),
      readAll,
      keep: (those) => void (kept = those),
      keepCopy: source.keepCopy,
      close: () => source.close(),
    }
  } catch (error) {
    source.close()
    throw error
  }
}

/** Holds the first record back until it is known to be the only one, if the template is the same for all. */
async function* withOnePrompt(
  blocks: AsyncIterable<readonly InputItem[]>,
  { template, onRepeatedPrompt }: InputOptions,
): AsyncGenerator<readonly InputItem[], void, undefined> {
  if (!onRepeatedPrompt || !template?.isConstant) return yield* blocks
  const held: InputItem[] = []
  let count = 0
  for await (const items of blocks) {
    for (const item of items) {
      if (!('isBlank' in item)) count += 1
      if (count > 1) onRepeatedPrompt('value' in item ? item.value : null)
      held.push(item)
    }
  }
  yield held
}

async function detectFormat(
  path: string | undefined,
  { delimiter, template }: InputOptions,
  lines: Lines,
): Promise<BatchInputFormat> {
  const named = path === undefined ? undefined : formatOfPath(path)
  if (named === 'csv' || named === 'tsv') return named
  if (named === undefined && delimiter !== undefined) return 'csv'
  const line = await lines.peek()
  rejectArray(line, lines.where)
  return formatOfLine(line, named === 'json', template !== undefined)
}

/** The lines of a source. */
class Lines {
  readonly where: string
  readonly #source: Source
  /** Of a pipe: what was read to know the format, and the rest. */
  readonly #kept: LineBlock[] = []
  #rest: AsyncGenerator<LineBlock, void, undefined> | undefined

  constructor(source: Source) {
    this.#source = source
    this.where = source.where
  }

  /** The first line that is not blank. */
  async peek(): Promise<string> {
    const blocks = this.#blocks()
    const { isRepeatable } = this.#source
    let line: string | undefined
    for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
      if (!isRepeatable) this.#kept.push(next.value)
      line = next.value.lines.find((one) => one.trim() !== '')
      if (line !== undefined) break
    }
    if (isRepeatable) await blocks.return()
    else this.#rest = blocks
    return line ?? ''
  }

  async *read(): AsyncGenerator<LineBlock, void, undefined> {
    const rest = this.#rest ?? this.#blocks()
    this.#rest = undefined
    yield* this.#kept.splice(0)
    yield* rest
  }

  #blocks(): AsyncGenerator<LineBlock, void, undefined> {
    return withoutNulls(readLines(this.#source.chunks(), this.where), this.where)
  }
}
