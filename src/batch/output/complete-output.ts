/** Finished results with their identity: whether a run has anything to add, and the journal in which it does. */

import { closeSync, openSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { encodeEnd, encodeRecord } from '../journal/journal-reader.ts'
import { type Identity, identityRows } from '../journal/identity.ts'
import { LineSource } from '../journal/line-source.ts'
import { changedIdentity, encodeManifest, type Manifest } from '../journal/manifest.ts'
import { RowHashes } from '../journal/row-hashes.ts'
import { type CheckedRows, outputRows } from '../requests/checked-rows.ts'
import type { BatchFiles } from '../journal/files.ts'
import type { OpenJob } from '../job.ts'
import { countText } from '../../io/text/plural.ts'
import { createPrinter, type OutputFormat } from './printer.ts'
import { ResultFile } from './result-file.ts'

/** Whether the results are rows in the shape of OpenAI's. */
export function hasIds(output: OutputFormat): boolean {
  return output.type === 'jsonl' && output.columns === undefined
}

/** Rows of the input that have a result stay in the output when others are selected: they are selected as well. */
export async function keepRows({ input, builder }: OpenJob, identity: Identity): Promise<void> {
  const finished = new RowHashes()
  for await (const { hash } of identityRows(identity)) finished.add(hash)
  const lines: number[] = []
  for await (const items of input.readAll()) {
    for (const item of items) {
      if (!('value' in item)) continue
      try {
        if (finished.take(builder.build(item).hash) !== undefined) lines.push(item.line)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
      }
    }
  }
  input.keep(lines)
}

/**
 * @param options `isUnfinished`: there is a journal, whose settings are checked when it is read.
 * @throws UsageError for results of other settings, or of another input.
 */
export async function checkIdentity(
  path: string,
  now: Manifest,
  identity: Identity,
  { hashes = new RowHashes(), isUnfinished }: { hashes: RowHashes | undefined; isUnfinished: boolean },
): Promise<void> {
  const hint = 'use --restart to start again without its results, or choose another --output'
  const { manifest, succeeded } = identity.summary
  const changed = changedIdentity(manifest, now)
  if (changed.length > 0) {
    if (isUnfinished) return
    throw new UsageError(`${path} is of a run with other settings: ${changed.join(', ')}`, { hint })
  }
  for await (const { hash } of identityRows(identity)) if (hashes.has(hash)) return
  if (succeeded === 0) return
  const results = `none of its ${countText(succeeded, 'result')} is of a row of ${now.input.path}`
  throw new UsageError(`${path} is of a run of another input: ${results}`, { hint })
}

/** Whether the results are those of all rows, in their order, and nothing is to be written. */
export async function isComplete(
  { output: path }: BatchFiles,
  identity: Identity,
  open: OpenJob,
  checked: CheckedRows,
  format: OutputFormat,
): Promise<boolean> {
  const print = await createPrinter(format, open.input)
  const known = identityRows(identity)
  const file = openSync(path, 'r')
  try {
    const source = new LineSource(file)
    let number = 0
    for await (const rows of outputRows(open, checked)) {
      for (const row of rows) {
        const { value } = await known.next()
        if (!value || row.error || !checked.hashes?.isOf(number, value.hash)) return false
        const [start, head] = value.place
        if (!source.slice(start, head).equals(Buffer.from(print.head(row)))) return false
        number += 1
      }
    }
    return (await known.next()).done === true
  } finally {
    await known.return()
    closeSync(file)
  }
}

/**
 * Starts a journal with finished results, so that a run can add to them: nothing of it is lost when they are replaced.
 * @throws FailedError
 */
export async function reopenJournal(files: BatchFiles, identity: Identity): Promise<void> {
  const journal = new ResultFile(files, 'journal')
  const file = openSync(files.output, 'r')
  try {
    const source = new LineSource(file)
    await journal.add(encodeManifest(identity.summary.manifest))
    for await (const { hash, place } of identityRows(identity)) {
      const [start, head, tail] = place
      const text = source.slice(start + head, tail).toString()
      await journal.add(encodeRecord({ hash }, JSON.stringify(text)))
    }
    await journal.add(encodeEnd({ end: 'complete', in_flight: 0 }))
    await journal.end()
    await journal.rename()
  } finally {
    closeSync(file)
    journal.discard()
  }
}
