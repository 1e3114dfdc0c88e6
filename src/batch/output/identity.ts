/**
 * The identity of results, in a file beside them: a journal that has, in place of each reply, where its row is in the results.
 * Its last line has their size and hash. It shows whether a run has anything to add to them, and makes the journal in which it
 * does.
 */

import { createHash } from 'node:crypto'
import { closeSync, openSync, statSync } from 'node:fs'
import { atEnd } from '../../io/at-end.ts'
import { UsageError } from '../../errors.ts'
import { openIfExists, readChunks } from '../../io/files/regular-file.ts'
import { statsOf } from '../../io/files/stats.ts'
import { parseStoredJson } from '../../io/json/json.ts'
import { countText } from '../../io/text/plural.ts'
import type { Digest } from '../input/source.ts'
import type { OpenJob } from '../job.ts'
import { type BatchFiles, findBatchFiles, identityPaths } from '../journal/files.ts'
import {
  decodeRecord,
  encodeEnd,
  encodeRecord,
  firstLine,
  type JournalRecord,
  type JournalSummary,
  type RowPlace,
  summarize,
} from '../journal/journal-reader.ts'
import { LineSource, scanLines } from '../journal/line-reader.ts'
import { changedIdentity, decodeManifest, encodeManifest, type Manifest } from '../journal/manifest.ts'
import { RowHashes } from '../journal/row-hashes.ts'
import { type CheckedRows, outputRows, rowOf } from '../requests/checked-rows.ts'
import { createPrinter, type OutputFormat } from './printer.ts'
import { ResultFile } from './output.ts'

export interface Identity extends JournalSummary {
  readonly path: string
}

/** The identity in a file. @returns `undefined` without one. @throws UsageError, FailedError */
async function readIdentity(path: string, signal?: AbortSignal): Promise<Identity | undefined> {
  if (firstLine(path) === undefined) return undefined
  const file = openIfExists(path)
  if (file === undefined) return undefined
  using _file = atEnd(() => closeSync(file))
  return { ...(await summarize(file, path, { signal })), path }
}

/** The rows of results, in their order. */
async function* identityRows({
  path,
}: Identity): AsyncGenerator<Pick<JournalRecord, 'hash' | 'head'> & { readonly place: RowPlace }, void, undefined> {
  const file = openIfExists(path)
  if (file === undefined) return
  using _file = atEnd(() => closeSync(file))
  for await (const { lines } of scanLines(file, true)) {
    for (const { bytes } of lines) {
      const record = decodeRecord(bytes)
      const place = parseStoredJson(record?.result ?? '')
      if (record && Array.isArray(place)) yield { ...record, place: place as unknown as RowPlace }
    }
  }
}

/**
 * What identifies the results that are there.
 * @returns `undefined` without results, and for those that this run was told to replace.
 * @throws UsageError for a file that syn did not write, or that was changed since; FailedError
 */
export async function identityOf(
  files: BatchFiles,
  { hint, signal }: { hint?: string; signal?: AbortSignal } = {},
): Promise<Identity | undefined> {
  const { output, identity, journal } = files
  const digest = await digestOf(output)
  if (!digest || (digest.size === 0 && firstLine(identity) === undefined)) return undefined
  const started = firstLine(journal)
  const isFound = (found: Digest | undefined): boolean => found?.size === digest.size && found.hash === digest.hash
  if (isFound(decodeManifest(parseStoredJson(started ?? ''))?.replaces)) return undefined
  const found: (Identity | undefined)[] = []
  for (const one of identityPaths(files)) found.push(await readIdentity(one, signal))
  const known = found.find((one) => isFound(one?.output))
  if (known) return known
  throw new UsageError(
    found.some((one) => one)
      ? `${output} was changed since syn batch wrote it`
      : `${output} exists and was not written by this version of syn batch: there is no ${identity}`,
    {
      hint:
        hint ??
        (started !== undefined
          ? 'move it to continue the run, or use --restart to start again without its results'
          : 'use --restart to replace it, or choose another --output'),
    },
  )
}

/** @returns `undefined` without the file. @throws FailedError */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of readChunks(path)) hash.update(chunk)
  return { size, hash: hash.digest('hex') }
}

/**
 * As far as results have an identity.
 * @returns what the first of them are of.
 * @throws UsageError for results that were changed since, and naming what differs between the settings of two.
 */
export async function checkSameSettings(paths: readonly string[]): Promise<Manifest | undefined> {
  let first: { readonly path: string; readonly manifest: Manifest } | undefined
  for (const path of paths) {
    const files = await findBatchFiles(path)
    if (!identityPaths(files).some(statsOf)) continue
    const manifest = (await identityOf(files, { hint: 'repeat the command that made it' }))?.manifest
    if (!manifest) continue
    first ??= { path, manifest }
    const changed = changedIdentity(first.manifest, manifest)
    if (changed.length === 0) continue
    throw new UsageError(
      `cannot merge: ${path} is of a run with other settings than ${first.path}: ${changed.join(', ')}`,
    )
  }
  return first?.manifest
}

/** Whether the results are rows in the shape of OpenAI's. */
export function hasIds(output: OutputFormat): boolean {
  return output.type === 'jsonl' && output.columns === undefined
}

/** Rows of the input that have a result stay in the output when others are selected: they are selected as well. */
export async function keepRows(open: OpenJob, identity: Identity): Promise<void> {
  const finished = new RowHashes()
  for await (const { hash } of identityRows(identity)) finished.add(hash)
  const lines: number[] = []
  for await (const items of open.input.readAll()) {
    for (const item of items) {
      if (!('value' in item)) continue
      const row = await rowOf(item, open, undefined)
      if (!('error' in row) && finished.take(row.hash) !== undefined) lines.push(item.line)
    }
  }
  open.input.keep(lines)
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
  const { manifest, succeeded } = identity
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
): Promise<boolean> {
  const print = await createPrinter(open.job.output, open.input)
  const file = openSync(path, 'r')
  using _file = atEnd(() => closeSync(file))
  const known = identityRows(identity)
  await using _known = { [Symbol.asyncDispose]: async () => void (await known.return()) }
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
}

/**
 * Starts a journal with finished results, so that a run can add to them: nothing of it is lost when they are replaced.
 * @throws FailedError
 */
export async function reopenJournal(files: BatchFiles, identity: Identity): Promise<void> {
  using journal = new ResultFile(files, 'journal')
  const file = openSync(files.output, 'r')
  using _file = atEnd(() => closeSync(file))
  const source = new LineSource(file)
  await journal.add(encodeManifest(identity.manifest))
  for await (const { head, place } of identityRows(identity)) {
    const [start, headSize, tail] = place
    const text = source.slice(start + headSize, tail).toString()
    await journal.add(encodeRecord(head, JSON.stringify(text)))
  }
  await journal.add(encodeEnd({ end: 'complete', in_flight: 0 }))
  await journal.end()
  await journal.rename()
}
