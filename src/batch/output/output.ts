/** Puts the recorded results into the order of the input, and ends a run whose rows all have one. */

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { FailedError, isSystemError, reasonOf } from '../../errors.ts'
import { isObject, type Json, parseStoredJson } from '../../io/json.ts'
import { answerText, lineOf } from './answer-text.ts'
import { cellText, columnNames, type Columns, valuesOf } from './columns.ts'
import type { BatchFiles } from '../journal/files.ts'
import { type Journal, removeFile } from '../journal/journal.ts'
import { decodeRecord } from '../journal/journal-reader.ts'
import { NewFile } from './new-file.ts'
import { LineSource } from '../journal/line-source.ts'
import type { InputRecord, RowError } from '../row.ts'
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
  | { readonly type: 'csv'; readonly columns: Columns }
  /** `isJson`: JSON was asked for. */
  | { readonly type: 'text'; readonly isJson?: boolean }

export interface OutputCounts {
  readonly succeeded: number
  /** Invalid rows included. */
  readonly failed: number
}

/**
 * Writes the results and the errors of a run, and removes the journal unless rows failed or it has results of other rows. A kill at any moment leaves files
 * from which the same command ends in the same results: the journal goes last.
 * @param journal After `end('complete', 0)`. It is closed.
 * @param rows All rows, as in the run.
 * @throws FailedError
 */
export async function writeOutput(
  files: BatchFiles,
  journal: Journal,
  rows: AsyncIterable<readonly OutputRow[]>,
  format: OutputFormat,
): Promise<OutputCounts> {
  const output = new NewFile(files.newOutput, files.output, files.mode)
  const errors = new NewFile(files.newErrors, files.errors, files.mode)
  try {
    const counts = await writeRows(output, errors, journal, rows, format)
    await errors.finish()
    await output.finish()
    journal.check()
    await journal.close()
    if (counts.failed > 0) await errors.rename()
    else removeIfExists(files.errors)
    await output.rename()
    if (counts.failed > 0) return counts
    // Else a power failure could keep this removal and lose the rename.
    syncFolder(dirname(files.output))
    if (journal.otherResults === 0) removeIfExists(files.journal)
    removeIfExists(files.spool)
    return counts
  } finally {
    output.discard()
    errors.discard()
  }
}

/** Removes what a run that was killed left beside whole results. @throws FailedError */
export function removeLeftovers(files: BatchFiles): void {
  for (const path of [files.newOutput, files.newErrors, files.spool]) removeIfExists(path)
}

/** Of the line of the input, so that it stays the same with another template. Equal lines have equal ids. */
export function rowId({ raw }: InputRecord): string {
  return `batch_req_${sha256(raw).slice(0, 24)}`
}

/** A row of JSON Lines without its end, in the shape of OpenAI's batch results. @param result `"response":…,"error":…` */
export function resultRow(row: OutputRow, result: string): string {
  return `{"id":"${rowId(row.record)}","custom_id":${JSON.stringify(row.customId)},${result}}`
}

async function writeRows(
  output: NewFile,
  errors: NewFile,
  journal: Journal,
  rows: AsyncIterable<readonly OutputRow[]>,
  format: OutputFormat,
): Promise<OutputCounts> {
  const source = new LineSource(journal.file)
  const print = await createPrinter(format)
  if (print.header !== undefined) await output.write(print.header)
  let [number, failed] = [0, 0]
  for await (const block of rows) {
    for (const row of block) {
      const result = row.error ? undefined : await readResult(journal, source, number, row.record)
      if (result !== undefined && journal.isDone(number)) await output.write(`${print.row(row, result)}\n`)
      else {
        failed += 1
        await errors.write(`${resultRow(row, result ?? resultOf(row.error))}\n`)
        if (format.type === 'text') await output.write('\n')
      }
      number += 1
    }
  }
  if (number !== journal.rowCount) throw new FailedError(`the input has ${number} rows, not ${journal.rowCount}`)
  return { succeeded: number - failed, failed }
}

/** @returns `"response":…,"error":…` */
async function readResult(journal: Journal, source: LineSource, row: number, record: InputRecord): Promise<string> {
  const offset = journal.offsetOf(row)
  if (offset === undefined) throw new FailedError(`${journal.path} has no result for line ${record.line} of the input`)
  let result: string | undefined
  try {
    result = decodeRecord(await source.read(offset))?.result
  } catch (error) {
    throw new FailedError(`cannot read ${journal.path}: ${reasonOf(error)}`)
  }
  if (result !== undefined) return result.slice(1, -1)
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

export interface RowPrinter {
  readonly header?: string
  /** Whether a row has the whole result, with the error of a failed one. */
  readonly isWhole?: boolean
  row(row: OutputRow, result: string): string
}

export async function createPrinter(format: OutputFormat): Promise<RowPrinter> {
  switch (format.type) {
    case 'text':
      return { row: (_row, result) => lineOf(answerText(bodyOf(result)), format.isJson) }
    case 'csv': {
      const { csvRow } = await import('../../io/csv-text.ts')
      const { columns } = format
      return {
        header: `${csvRow(columnNames(columns))}\n`,
        row: ({ record }, result) => {
          const cells = [...valuesOf(columns, record, bodyOf(result)).values()].map(cellText)
          // Readers skip a blank line.
          return csvRow(cells) || '""'
        },
      }
    }
    case 'jsonl': {
      const { columns } = format
      if (!columns) return { isWhole: true, row: resultRow }
      return {
        row: ({ record }, result) => JSON.stringify(Object.fromEntries(valuesOf(columns, record, bodyOf(result)))),
      }
    }
  }
}

/** The body of the reply in a recorded result. */
function bodyOf(result: string): Json {
  const json = parseStoredJson(`{${result}}`)
  const response = isObject(json) ? json.response : undefined
  return isObject(response) ? (response.body ?? null) : null
}

/** @throws FailedError */
function removeIfExists(path: string): void {
  try {
    removeFile(path)
  } catch (error) {
    throw new FailedError(`cannot remove ${path}: ${reasonOf(error)}`)
  }
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
