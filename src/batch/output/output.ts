/** Puts the recorded results into the order of the input, and ends a run whose rows all have one. */

import { createHash } from 'node:crypto'
import { atEnd } from '../../io/at-end.ts'
import { FailedError, reasonOf } from '../../errors.ts'
import { parseStoredJson } from '../../io/json/json.ts'
import { NewFile, removeFile, syncName } from '../../io/files/regular-file.ts'
import { type BatchFiles, type RenamedFile, stateOfFiles, temporaryPath } from '../journal/files.ts'
import type { Digest } from '../input/source.ts'
import type { Journal } from '../journal/journal.ts'
import {
  decodeRecord,
  encodeEnd,
  encodeRecord,
  type JournalRecord,
  partLimit,
  type RowPlace,
} from '../journal/journal-reader.ts'
import { encodeManifest, type Manifest } from '../journal/manifest.ts'
import { LineSource } from '../journal/line-reader.ts'
import type { InputRecord } from '../../input/records.ts'
import type { RowError } from '../row.ts'
import {
  createPrinter,
  type InputHeader,
  type OutputFormat,
  type OutputRow,
  type ResultPrinter,
  resultRow,
} from './printer.ts'

/**
 * Writes the results, their identity and the errors of a run, and removes the journal unless rows failed or it has results of
 * other rows. A kill at any moment leaves files from which the same command ends in the same results: the journal goes last.
 * @param journal After `end('complete', 0)`. It is closed.
 * @param rows All rows, as in the run.
 * @param options `input`: the input, whose rows they are. `before`: `stateOfFiles` when the run began.
 * @returns the number of failed rows, invalid ones included.
 * @throws FailedError also if another program has written the files meanwhile.
 */
export async function writeOutput(
  files: BatchFiles,
  journal: Journal,
  rows: AsyncIterable<readonly OutputRow[]>,
  { format, input, before }: { format: OutputFormat; input: InputHeader; before: string },
): Promise<number> {
  using output = new ResultFile(files, 'output')
  using errors = new ResultFile(files, 'errors')
  const identity = new ResultFile(files, 'identity')
  // Once these results have their name, they would be refused without it.
  let isNeeded = false
  using _identity = atEnd(() => isNeeded || identity.discard())
  if (journal.manifest) await identity.add(encodeManifest(journal.manifest))
  const print = await createPrinter(format, input)
  const failed = await writeRows({ output, errors, identity }, journal, rows, print)
  await errors.end()
  await identity.add(encodeEnd({ end: 'complete', in_flight: 0, output: await output.end() }))
  await identity.end()
  journal.check()
  if (stateOfFiles(files) !== before) {
    throw new FailedError(`${files.output} or ${files.errors} was changed during the run by another program`, {
      hint: 'move it, and repeat the command, which has all answers already',
    })
  }
  await journal.close()
  if (failed > 0) await errors.rename()
  else for (const path of [errors.path, files.errors]) removeFile(path)
  // Each is on the disk before the next, also after a power failure. Until the last, the identity keeps its other name.
  isNeeded = true
  await output.rename()
  syncName(files.output)
  await identity.rename()
  if (failed > 0) return failed
  syncName(files.identity)
  removeFile(files.spool)
  if (journal.otherResults === 0) removeFile(files.journal)
  return failed
}

async function writeRows(
  { output, errors, identity }: Record<'output' | 'errors' | 'identity', ResultFile>,
  journal: Journal,
  rows: AsyncIterable<readonly OutputRow[]>,
  print: ResultPrinter,
): Promise<number> {
  const source = new LineSource(journal.file)
  let [number, failed] = [0, 0]
  for await (const block of rows) {
    if (number === 0) await output.add(print.header())
    for (const row of block) {
      const record = row.error ? undefined : readRecord(journal, source, number, row.record)
      if (record && isAnswered(record, journal.manifest)) {
        const [start, head] = [output.size, print.head(row)]
        await output.add(`${head}${tailOf(record, print)}\n`)
        const headSize = Buffer.byteLength(head)
        const place: RowPlace = [start, headSize, output.size - start - headSize - 1]
        // What syn batch status counts, too.
        const { hash, usage, requested } = record.head
        await identity.add(encodeRecord({ hash, usage, requested }, JSON.stringify(place)))
      } else {
        failed += 1
        await errors.add(`${resultRow(row, record ? membersOf(record.result) : resultOf(row.error))}\n`)
        if (print.hasLineOfFailed) await output.add('\n')
      }
      number += 1
    }
  }
  if (number === 0) await output.add(print.header())
  if (number !== journal.rowCount) throw new FailedError(`the input has ${number} rows, not ${journal.rowCount}`)
  return failed
}

/** Whether a record has an answer for the results. One that failed as it is not whole is taken with --allow-cut. */
function isAnswered({ head }: JournalRecord, manifest: Manifest | undefined): boolean {
  return head.failed !== true || (manifest?.allows_cut === true && partLimit(head) !== undefined)
}

/** What follows the columns of the input. The result is a reply, or in a string what was read from finished results. */
function tailOf({ head, result }: JournalRecord, print: ResultPrinter): string {
  if (result.startsWith('"')) return parseStoredJson(result) as string
  const members = membersOf(result)
  // A part that failed its row then is taken now. Inside a string the quotes would be escaped.
  return print.tail(head.failed ? `${members.slice(0, members.lastIndexOf(errorKey))}${errorKey}null` : members)
}

const errorKey = ',"error":'

/** `"response":…,"error":…` of a recorded reply. */
function membersOf(result: string): string {
  return result.slice(1, -1)
}

function readRecord(journal: Journal, source: LineSource, row: number, record: InputRecord): JournalRecord {
  const offset = journal.offsetOf(row)
  if (offset === undefined) throw new FailedError(`${journal.path} has no result for line ${record.line} of the input`)
  let parts: JournalRecord | undefined
  try {
    parts = decodeRecord(source.read(offset))
  } catch (error) {
    throw new FailedError(`cannot read ${journal.path}: ${reasonOf(error)}`)
  }
  if (parts) return parts
  throw new FailedError(
    `${journal.path} is damaged at byte ${offset}: the result for line ${record.line} of the input`,
    {
      hint: 'repeat the command: it sends this row again',
    },
  )
}

function resultOf(error: RowError | undefined): string {
  return `"response":null,"error":${JSON.stringify(error ?? null)}`
}

/** In characters, of what is written at once. */
const pieceSize = 256 * 1024

/** A file of results or of what belongs to them, written in large pieces, which knows its digest. */
export class ResultFile extends NewFile {
  #held = ''
  readonly #hash = createHash('sha256')
  /** In bytes: where the next text starts. */
  size = 0

  /** Replaces what a run that was killed has left of it. @throws FailedError */
  constructor(files: BatchFiles, name: RenamedFile) {
    super(files[name], { path: temporaryPath(files, name), mode: files.mode })
    removeFile(this.path)
    this.opened()
  }

  /** @throws FailedError */
  async add(text: string): Promise<void> {
    this.#held += text
    this.size += Buffer.byteLength(text)
    if (this.#held.length >= pieceSize) await this.#flush()
  }

  /** Closes it when it is on the disk. @throws FailedError */
  async end(): Promise<Digest> {
    await this.#flush()
    await this.finish(true)
    return { size: this.size, hash: this.#hash.digest('hex') }
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#held)
    this.#held = ''
    this.#hash.update(bytes)
    await this.write(bytes)
  }
}
