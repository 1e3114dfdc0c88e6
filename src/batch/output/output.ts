/** Puts the recorded results into the order of the input, and ends a run whose rows all have one. */

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { FailedError, isSystemError, reasonOf } from '../../errors.ts'
import { withExactNumbers, exactJson, isObject, type Json, parseStoredJson } from '../../io/json/json.ts'
import { removeFile } from '../../io/files/regular-file.ts'
import { answerText, lineOf } from './answer-text.ts'
import { allColumns, answerValues, cellText, columnNames, type Columns, keptValues } from './columns.ts'
import { type BatchFiles, stateOfFiles, temporaryFiles } from '../journal/files.ts'
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
import { LineSource } from '../journal/line-source.ts'
import type { InputRecord, TableFormat } from '../../input/records.ts'
import type { RowError } from '../row.ts'
import type { BatchInput } from '../input/input.ts'
import { ResultFile } from './result-file.ts'
import { sha256 } from '../sha256.ts'

/** A row of the input, when it is read again. */
export interface OutputRow {
  readonly record: InputRecord
  readonly customId: string
  /** Of a row that was not sent. */
  readonly error?: RowError | undefined
}

/** `columns` of `jsonl`: rows with these keys, in place of OpenAI's. */
export type OutputFormat =
  | { readonly type: 'jsonl'; readonly columns?: Columns | undefined }
  | { readonly type: TableFormat; readonly columns: Columns }
  /** `isJson`: JSON was asked for. */
  | { readonly type: 'text'; readonly isJson?: boolean }

/** The columns of the input that the output keeps, as `--keep` has them. */
export function keptNames(output: OutputFormat): readonly string[] {
  const columns = 'columns' in output ? output.columns : undefined
  return columns?.keepsAll ? [allColumns] : (columns?.keep ?? [])
}

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
  const output = new ResultFile(files.newOutput, files.output, files.mode)
  const errors = new ResultFile(files.newErrors, files.errors, files.mode)
  const identity = new ResultFile(files.newIdentity, files.identity, files.mode)
  try {
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
    else removeFile(files.errors)
    // Each is on the disk before the next, also after a power failure. Until the last, the identity has its other name.
    await output.rename()
    syncFolder(dirname(files.output))
    await identity.rename()
    if (failed > 0) return failed
    syncFolder(dirname(files.output))
    if (journal.otherResults === 0) removeFile(files.journal)
    removeFile(files.spool)
    return failed
  } finally {
    output.discard()
    errors.discard()
    identity.discard()
  }
}

/** Removes what a run that was killed left beside whole results. @throws FailedError */
export function removeLeftovers(files: BatchFiles): void {
  for (const path of [...temporaryFiles(files), files.spool]) removeFile(path)
}

/** Of the line of the input, so that it stays the same with another template. Equal lines have equal ids. */
export function rowId({ raw }: InputRecord): string {
  return `batch_req_${sha256(raw).slice(0, 24)}`
}

/** A row of JSON Lines without its end, in the shape of OpenAI's batch results. @param result `"response":…,"error":…` */
export function resultRow(row: OutputRow, result: string): string {
  return wholeRows.head(row) + wholeRows.tail(result)
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
        await identity.add(encodeRecord({ hash: record.hash }, JSON.stringify(place)))
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

/** What the header of a table needs. */
export type InputHeader = Pick<BatchInput, 'header'>

export interface ResultPrinter {
  /** The line before the first row, when that was read, or there is none; empty for formats that have none. */
  header(): string
  /** Whether a file has an empty line for a failed row. */
  readonly hasLineOfFailed?: boolean
  /** Whether a row has the whole result, with the error of a failed one. */
  readonly isWhole?: boolean
  /** The start of a row, which the input alone decides. */
  head(row: OutputRow): string
  /** The rest without the line end. @param result `"response":…,"error":…` */
  tail(result: string): string
}

const wholeRows: ResultPrinter = {
  header: () => '',
  isWhole: true,
  head: ({ record, customId }) => `{"id":"${rowId(record)}","custom_id":${JSON.stringify(customId)},`,
  tail: (result) => `${result}}`,
}

export async function createPrinter(format: OutputFormat, input: InputHeader): Promise<ResultPrinter> {
  switch (format.type) {
    case 'text':
      return {
        header: () => '',
        hasLineOfFailed: true,
        head: () => '',
        tail: (result) => lineOf(answerText(bodyOf(result)), format.isJson),
      }
    case 'csv':
    case 'tsv': {
      const { csvRow } = await import('../../io/text/csv-text.ts')
      const { columns, type } = format
      const delimiter = type === 'tsv' ? '\t' : ','
      return {
        header: () => `${csvRow(columnNames(columns, input.header), delimiter)}\n`,
        head: ({ record }) => {
          const cells = keptValues(columns, record, input.header).map(([, value]) => cellText(value))
          return cells.length === 0 ? '' : `${csvRow(cells, delimiter)}${delimiter}`
        },
        tail: (result) => {
          const cells = answerValues(columns, bodyOf(result)).map(([, value]) => cellText(value))
          // Readers skip a blank line.
          return csvRow(cells, delimiter) || (keptNames(format).length === 0 ? '""' : '')
        },
      }
    }
    case 'jsonl': {
      const { columns } = format
      if (!columns) return wholeRows
      const member = ([name, value]: readonly [string, Json]): string => `${JSON.stringify(name)}:${exactJson(value)}`
      return {
        header: () => '',
        head: ({ record }) =>
          `{${keptValues(columns, record, input.header)
            .map((one) => `${member(one)},`)
            .join('')}`,
        tail: (result) => `${answerValues(columns, bodyOf(result)).map(member).join(',')}}`,
      }
    }
  }
}

/** The body of the reply in a recorded result. */
function bodyOf(result: string): Json {
  const text = `{${result}}`
  const json = withExactNumbers(parseStoredJson(text, null), text)
  const response = isObject(json) ? json.response : undefined
  return isObject(response) ? (response.body ?? null) : null
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    // Windows opens no folder, and some file systems sync none.
    if (!isSystemError(error)) throw error
  }
}
