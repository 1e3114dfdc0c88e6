/** `syn batch merge`: the results of several runs in the order of the input, exactly one for each line. */

import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { FailedError, reasonOf, SynError, UsageError } from '../../errors.ts'
import { type Sink, writeText } from '../../io/io.ts'
import { pluralize } from '../../io/plural.ts'
import { scanLines, type ScannedLine } from '../journal/line-scanner.ts'
import { checkSameSettings } from '../journal/identity.ts'
import { LineSource } from '../journal/line-source.ts'
import { type OutputRow, resultRow, rowId } from './output.ts'
import { RowFinder, RowHashes } from '../journal/row-hashes.ts'

export interface MergeSummary {
  readonly rows: number
  /** The number of results of no line of the input, which are left out. */
  readonly unknown: number
}

/** Lines that a message names at most. */
const maxNamed = 10

/** In characters. */
const pieceSize = 256 * 1024

/** In bytes: many files are open. */
const windowSize = 64 * 1024

/**
 * Writes the results of all lines of the input, or nothing.
 * @param readRows Reads the input from its start. Called several times.
 * @param paths Results as JSON Lines, in the shape of OpenAI's batch results. Rows with an error are no results.
 * @throws FailedError naming lines without a result or with several; UsageError for a file without results, and for results of
 *   runs with other settings.
 */
export async function mergeOutputs(
  readRows: () => AsyncIterable<readonly OutputRow[]>,
  paths: readonly string[],
  out: Sink,
): Promise<MergeSummary> {
  const files = new OpenFiles(paths)
  try {
    await checkSameSettings(paths)
    const ids = new RowHashes()
    for await (const block of readRows()) for (const { record } of block) ids.add(digitsOf(rowId(record)))
    const results = new Results(ids)
    for (const { file, path } of files.all) await results.addFile(file, path)
    const unknown = results.isWhole ? 0 : await results.check(readRows())
    await writeMerged(readRows(), results, files, out)
    return { rows: ids.count, unknown }
  } finally {
    files.close()
  }
}

class OpenFiles {
  readonly all: { readonly path: string; readonly file: number; readonly source: LineSource }[] = []

  /** @throws UsageError */
  constructor(paths: readonly string[]) {
    try {
      for (const path of paths) {
        const file = openResults(path)
        this.all.push({ path, file, source: new LineSource(file, windowSize) })
      }
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    for (const { file } of this.all) closeSync(file)
  }
}

/** Read twice, so it is no pipe. @throws UsageError */
function openResults(path: string): number {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`)
  }
  throw new UsageError(`cannot read ${path}: not a regular file`)
}

/** Where the result of each row is. */
class Results {
  /** By row: the number of the file from 1, or 0 without a result. */
  readonly #files: Uint16Array
  readonly #offsets: Float64Array
  readonly #finder: RowFinder
  #found = 0
  #fileCount = 0
  /** The ids of rows with an error. */
  readonly #failed = new RowHashes()
  /** The ids of results that found no row left. */
  readonly #extra = new RowHashes()

  constructor(ids: RowHashes) {
    this.#files = new Uint16Array(ids.count)
    this.#offsets = new Float64Array(ids.count)
    this.#finder = new RowFinder(ids)
  }

  /** Whether each row has exactly one result, and there are no others. */
  get isWhole(): boolean {
    return this.#found === this.#files.length && this.#extra.count === 0
  }

  /** @throws UsageError for a line that is no result. */
  async addFile(file: number, path: string): Promise<void> {
    this.#fileCount += 1
    let number = 0
    for await (const { lines } of scanLines(file, false)) {
      for (const line of lines) {
        number += 1
        const result = decodeLine(line)
        if (!result) throw new UsageError(`${path}, line ${number}: not a result of syn batch in its JSON Lines format`)
        if (result.isFailed) this.#failed.add(result.digits)
        else this.#add(result.digits, line.offset)
      }
    }
  }

  /** The number of its file from 0, and its offset there. */
  get(row: number): { readonly file: number; readonly offset: number } {
    return { file: (this.#files[row] ?? 0) - 1, offset: this.#offsets[row] ?? 0 }
  }

  /**
   * @returns the number of results of no line.
   * @throws FailedError naming lines without a result or with several.
   */
  async check(rows: AsyncIterable<readonly OutputRow[]>): Promise<number> {
    const [missing, failed, repeated] = [new NamedLines(), new NamedLines(), new NamedLines()]
    const [failedRows, extra] = [new RowFinder(this.#failed), new RowFinder(this.#extra)]
    let [row, known] = [0, 0]
    for await (const block of rows) {
      for (const { record } of block) {
        const digits = digitsOf(rowId(record))
        if (this.#files[row] === 0) (failedRows.take(digits) === undefined ? missing : failed).add(record.line)
        const knownBefore = known
        while (extra.take(digits) !== undefined) known += 1
        if (known > knownBefore) repeated.add(record.line)
        row += 1
      }
    }
    const problems = [
      missing.text('without a result'),
      failed.text('that failed'),
      repeated.text('with several results'),
    ].filter((text) => text !== undefined)
    if (problems.length > 0) {
      const hint = repeated.count > 0 ? undefined : 'continue the runs with their commands, then merge again'
      throw new FailedError(`cannot merge: ${problems.join('; ')}`, { hint })
    }
    return this.#extra.count - known
  }

  #add(digits: string, offset: number): void {
    const row = this.#finder.take(digits)
    if (row === undefined) return this.#extra.add(digits)
    this.#files[row] = this.#fileCount
    this.#offsets[row] = offset
    this.#found += 1
  }
}

class NamedLines {
  count = 0
  readonly #first: number[] = []

  add(line: number): void {
    this.count += 1
    if (this.#first.length < maxNamed) this.#first.push(line)
  }

  /** `2 lines that failed (4, 9)`; `undefined` for none. */
  text(what: string): string | undefined {
    if (this.count === 0) return undefined
    const rest = this.count > maxNamed ? ', …' : ''
    return `${pluralize(this.count, 'line')} ${what} (${this.#first.join(', ')}${rest})`
  }
}

async function writeMerged(
  rows: AsyncIterable<readonly OutputRow[]>,
  results: Results,
  { all }: OpenFiles,
  out: Sink,
): Promise<void> {
  let [number, held] = [0, '']
  for await (const block of rows) {
    for (const row of block) {
      const { file, offset } = results.get(number)
      held += `${resultRow(row, await readResult(all[file], offset))}\n`
      number += 1
      if (held.length >= pieceSize) {
        await writeText(out, held)
        held = ''
      }
    }
  }
  if (held !== '') await writeText(out, held)
}

/** @returns `"response":…,"error":null` */
async function readResult(file: OpenFiles['all'][number] | undefined, offset: number): Promise<string> {
  if (!file) throw new FailedError('the input changed while it was read')
  try {
    const line = await file.source.read(offset)
    return line.toString('utf8', line.indexOf(responseKey) + 1, line.length - 1)
  } catch (error) {
    throw error instanceof SynError ? error : new FailedError(`cannot read ${file.path}: ${reasonOf(error)}`)
  }
}

/** What follows the ids of a row. Inside a string the quotes would be escaped. */
const responseKey = ',"response":'

/** The id of a line, and whether it has an error; `undefined` for another line. */
function decodeLine({ start, end }: ScannedLine): { digits: string; isFailed: boolean } | undefined {
  const id = /^\{"id":"(batch_req_[\da-f]{24})",/.exec(start.toString('latin1', 0, 64))?.[1]
  if (id === undefined || !start.includes(responseKey) || !end.endsWith('}')) return undefined
  return { digits: digitsOf(id), isFailed: !end.endsWith(',"error":null}') }
}

function digitsOf(id: string): string {
  return id.slice('batch_req_'.length)
}
