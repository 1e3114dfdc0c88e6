/**
 * The identity of results, in a file beside them: a journal that has, in place of each reply, where its row is in the results.
 * Its last line has their size and hash.
 */

import { createHash } from 'node:crypto'
import { closeSync, statSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import type { Digest } from '../input/source.ts'
import { type BatchFiles, findBatchFiles, identityPaths } from './files.ts'
import { decodeRecord, firstLine, type JournalSummary, type RowPlace, summarize } from './journal-reader.ts'
import { scanLines } from './line-scanner.ts'
import { changedIdentity, decodeManifest, type Manifest } from './manifest.ts'
import { parseStoredJson } from '../../io/json/json.ts'
import { openIfExists, readChunks } from '../../io/files/regular-file.ts'
import { statsOf } from '../../io/files/stats.ts'

export interface Identity {
  readonly path: string
  readonly summary: JournalSummary
}

export interface IdentityRow {
  readonly hash: string
  readonly place: RowPlace
}

/** The identity in a file. @returns `undefined` without one. @throws UsageError, FailedError */
async function readIdentity(path: string, signal?: AbortSignal): Promise<Identity | undefined> {
  if (firstLine(path) === undefined) return undefined
  const file = openIfExists(path)
  if (file === undefined) return undefined
  try {
    return { path, summary: await summarize(file, path, { signal }) }
  } finally {
    closeSync(file)
  }
}

/** The rows of results, in their order. */
export async function* identityRows({ path }: Identity): AsyncGenerator<IdentityRow, void, undefined> {
  const file = openIfExists(path)
  if (file === undefined) return
  try {
    for await (const { lines } of scanLines(file, true)) {
      for (const { bytes } of lines) {
        const record = decodeRecord(bytes)
        const place = parseStoredJson(record?.result ?? '')
        if (record && Array.isArray(place)) yield { hash: record.hash, place: place as unknown as RowPlace }
      }
    }
  } finally {
    closeSync(file)
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
  const known = found.find((one) => isFound(one?.summary.output))
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
 * @throws UsageError for results that were changed since, and naming what differs between the settings of two.
 */
export async function checkSameSettings(paths: readonly string[]): Promise<void> {
  let first: { readonly path: string; readonly manifest: Manifest } | undefined
  for (const path of paths) {
    const files = await findBatchFiles(path)
    if (!identityPaths(files).some(statsOf)) continue
    const manifest = (await identityOf(files, { hint: 'repeat the command that made it' }))?.summary.manifest
    if (!manifest) continue
    first ??= { path, manifest }
    const changed = changedIdentity(first.manifest, manifest)
    if (changed.length === 0) continue
    throw new UsageError(
      `cannot merge: ${path} is of a run with other settings than ${first.path}: ${changed.join(', ')}`,
    )
  }
}
