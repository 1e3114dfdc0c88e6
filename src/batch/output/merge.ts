/** `syn batch merge`: the results of several runs in the order of the input, exactly one for each line. */

import { closeSync } from 'node:fs'
import { atEnd } from '../../io/at-end.ts'
import { FailedError, reasonOf, UsageError } from '../../errors.ts'
import { type Sink, writeText } from '../../io/io.ts'
import { pluralize } from '../../io/text/plural.ts'
import { openRegularFile } from '../../io/files/regular-file.ts'
import { LineSource, scanLines, type ScannedLine } from '../journal/line-reader.ts'
import { type OutputRow, resultRow, rowId } from './printer.ts'
import { RowHashes } from '../journal/row-hashes.ts'

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
 * @returns the number of rows, and of results of no line of the input, which are left out.
 * @throws FailedError naming lines without a result or with several; UsageError for a file without results.
 */
export async function mergeOutputs(
  readRows: () => AsyncIterable<readonly OutputRow[]>,
  paths: readonly string[],
  out: Sink,
): Promise<{ rows: number; unknown: number }> {
  const files: OpenFile[] = []
  using _files = atEnd(() => files.forEach(({ file }) => closeSync(file)))
  for (const path of paths) files.push(openResults(path))
  const ids = new RowHashes()
  for await (const block of readRows()) for (const { record } of block) ids.add(digitsOf(rowId(record)))
  const results = new Results(ids)
  for (const file of files) await results.addFile(file)
  const unknown = results.isWhole ? 0 : await results.check(readRows())
  await writeMerged(readRows(), results, out)
  return { rows: ids.count, unknown }
}

interface OpenFile {
  readonly path: string
  readonly file: number
  readonly source: LineSource
}

/** Read twice, so it is no pipe. @throws UsageError */
function openResults(path: string): OpenFile {
  try {
    const file = openRegularFile(path)
    return { path, file, source: new LineSource(file, windowSize) }
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** Where the result of each row is. */
class Results {
  readonly #ids: RowHashes
  readonly #files: OpenFile[] = []
  /** By row: the number of the file from 1, or 0 without a result, and the offset there. */
  readonly #fileOf: Uint16Array
  readonly #offsets: Float64Array
  #found = 0
  /** The ids of rows with an error. */
  readonly #failed = new RowHashes()
  /** The ids of results that found no row left. */
  readonly #extra = new RowHashes()

  constructor(ids: RowHashes) {
    this.#ids = ids
    this.#fileOf = new Uint16Array(ids.count)
    this.#offsets = new Float64Array(ids.count)
  }

  /** Whether each row has exactly one result, and there are no others. */
  get isWhole(): boolean {
    return this.#found === this.#ids.count && this.#extra.count === 0
  }

  /** @throws UsageError for a line that is no result. */
  async addFile(file: OpenFile): Promise<void> {
    this.#files.push(file)
    let number = 0
    for await (const { lines } of scanLines(file.file, false)) {
      for (const line of lines) {
        number += 1
        const result = decodeLine(line)
        if (!result)
          throw new UsageError(`${file.path}, line ${number}: not a result of syn batch in its JSON Lines format`)
        if (result.isFailed) this.#failed.add(result.digits)
        else this.#add(result.digits, line.offset)
      }
    }
  }

  /** @returns `"response":…,"error":null` of a row. @throws FailedError */
  read(row: number): string {
    const file = this.#files[(this.#fileOf[row] ?? 0) - 1]
    if (!file) throw new FailedError('the input changed while it was read')
    try {
      const line = file.source.read(this.#offsets[row] ?? 0)
      return line.toString('utf8', line.indexOf(responseKey) + 1, line.length - 1)
    } catch (error) {
      throw new FailedError(`cannot read ${file.path}: ${reasonOf(error)}`)
    }
  }

  /**
   * @returns the number of results of no line.
   * @throws FailedError naming lines without a result or with several.
   */
  async check(rows: AsyncIterable<readonly OutputRow[]>): Promise<number> {
    const [missing, failed, repeated]: [number[], number[], number[]] = [[], [], []]
    let [row, known] = [0, 0]
    for await (const block of rows) {
      for (const { record } of block) {
        const digits = digitsOf(rowId(record))
        if (this.#fileOf[row] === 0) (this.#failed.take(digits) === undefined ? missing : failed).push(record.line)
        const knownBefore = known
        while (this.#extra.take(digits) !== undefined) known += 1
        if (known > knownBefore) repeated.push(record.line)
        row += 1
      }
    }
    const problems = [
      ...linesText(missing, 'without a result'),
      ...linesText(failed, 'that failed'),
      ...linesText(repeated, 'with several results'),
    ]
    if (problems.length > 0) {
      const leftOut = 'a row that was left out, as its cells are empty, needs the .identity file of its run'
      const hint =
        repeated.length > 0 ? undefined : `continue the runs with their commands, then merge again; ${leftOut}`
      throw new FailedError(`cannot merge: ${problems.join('; ')}`, { hint })
    }
    return this.#extra.count - known
  }

  #add(digits: string, offset: number): void {
    const row = this.#ids.take(digits)
    if (row === undefined) return this.#extra.add(digits)
    this.#fileOf[row] = this.#files.length
    this.#offsets[row] = offset
    this.#found += 1
  }
}

/** `2 lines that failed (4, 9)`; nothing for none. */
function linesText(lines: readonly number[], what: string): string[] {
  const rest = lines.length > maxNamed ? ', …' : ''
  const named = `(${lines.slice(0, maxNamed).join(', ')}${rest})`
  return lines.length === 0 ? [] : [`${pluralize(lines.length, 'line')} ${what} ${named}`]
}

async function writeMerged(rows: AsyncIterable<readonly OutputRow[]>, results: Results, out: Sink): Promise<void> {
  let [number, held] = [0, '']
  for await (const block of rows) {
    for (const row of block) {
      held += `${resultRow(row, results.read(number++))}\n`
      if (held.length < pieceSize) continue
      await writeText(out, held)
      held = ''
    }
  }
  if (held !== '') await writeText(out, held)
}

/** What follows the ids of a row. Inside a string the quotes would be escaped. */
const responseKey = ',"response":'

/** The id of a line, and whether it has an error; `undefined` for another line. */
function decodeLine({ bytes }: ScannedLine): { digits: string; isFailed: boolean } | undefined {
  const id = /^\{"id":"(batch_req_[\da-f]{24})",/.exec(bytes.toString('latin1', 0, 64))?.[1]
  const end = bytes.toString('latin1', Math.max(0, bytes.length - noError.length))
  if (id === undefined || !bytes.includes(responseKey) || !end.endsWith('}')) return undefined
  return { digits: digitsOf(id), isFailed: end !== noError }
}

const noError = ',"error":null}'

function digitsOf(id: string): string {
  return id.slice('batch_req_'.length)
}
