/** Continues a run: finds the rows whose results are in the journal. A result belongs to a row with the same request. */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { FailedError, isSystemError, reasonOf, UsageError } from '../../errors.ts'
import { pluralize } from '../../io/plural.ts'
import { countText, doneText, grouped } from '../counts.ts'
import { type BatchFiles, journalStart } from './files.ts'
import type { Digest } from '../input/source.ts'
import { emptyOffsets, failedAt, Journal } from './journal.ts'
import { type JournalEntry, readJournal, type RunEnd } from './journal-reader.ts'
import { changedOutput, changedParts, type Manifest } from './manifest.ts'
import { RowFinder, type RowHashes } from './row-hashes.ts'

export interface ResumedRun {
  readonly journal: Journal
  /** What was recorded before. */
  readonly summary: JournalSummary
  /** The number of rows that have an answer. */
  readonly done: number
  /** The number of failed rows whose answers are not whole, and that have no higher token limit now. */
  readonly parts: number
  /** Of these, the answers that ended at the token limit. */
  readonly cutOff: number
  /** What the user is to know, silenced by `--quiet`. */
  readonly notices: readonly string[]
  readonly warnings: readonly string[]
}

/** What a journal contains. */
export interface JournalSummary {
  /** Of the last run. */
  readonly manifest: Manifest
  /** What the run was told to replace. */
  readonly replaces: Digest | undefined
  /** Recorded answers. */
  readonly succeeded: number
  /** Failed rows of the last run, which asked those of earlier runs again. */
  readonly failed: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Where the last run starts, in bytes. */
  readonly start: number
  /** Whether any rows failed whose answers are not whole. */
  readonly hasParts: boolean
  /** How the last run ended; `undefined` if it was killed, or is running. */
  readonly end: RunEnd | undefined
  /** The most requests whose replies the last run sent for and did not record. */
  readonly inFlight: number
  /** The recorded answers that were read from finished results. */
  readonly written: number
  /** In an identity: of the results. */
  readonly output: Digest | undefined
  /** Damaged lines. */
  readonly invalid: number
  /** The end of the last whole line, in bytes. */
  readonly size: number
}

/**
 * Whether a run starts, continues, or has ended before.
 * @throws as `firstLine`.
 */
export function stateOf(files: BatchFiles): 'new' | 'unfinished' | 'complete' {
  if (firstLine(files.journal) !== undefined) return 'unfinished'
  const size = statSync(files.output, { throwIfNoEntry: false })?.size
  // An empty file was made for the results, as by mktemp, unless there are results that it had.
  return size === undefined || (size === 0 && firstLine(files.identity) === undefined) ? 'new' : 'complete'
}

/**
 * The first line of a journal, which is a manifest. One that was torn in it has no results.
 * @returns `undefined` without a journal that can be continued.
 * @throws UsageError for a file that is not a journal; FailedError when it cannot be read.
 */
export function firstLine(path: string): string | undefined {
  const file = openJournal(path, constants.O_RDONLY)
  if (file === undefined) return undefined
  try {
    const start = Buffer.alloc(65_536)
    const text = start.toString('utf8', 0, readSync(file, start, 0, start.length, 0))
    const end = text.indexOf('\n')
    if (end !== -1 && text.startsWith(journalStart)) return text.slice(0, end)
    if (journalStart.startsWith(text.slice(0, journalStart.length))) return undefined
    throw new UsageError(`${path} is not a journal of syn batch`, { hint: 'remove it, or choose another --output' })
  } finally {
    closeSync(file)
  }
}

/**
 * Opens the journal, and starts the next run in it. The hashes are not needed after it.
 * @param hashes Of all rows.
 * @param partsAre What becomes of recorded answers that are not whole, and have no higher limit now.
 * @throws UsageError if the requests of the recorded results are no longer those of the input; FailedError
 */
export async function resumeJournal(
  { journal: path }: BatchFiles,
  manifest: Manifest,
  hashes: RowHashes,
  partsAre: 'failed' | 'taken' | 'sent' = 'failed',
  signal?: AbortSignal,
): Promise<ResumedRun> {
  const file = openJournal(path, constants.O_RDWR | constants.O_APPEND)
  if (file === undefined) throw new FailedError(`cannot read ${path}: no such file`)
  try {
    const offsets = emptyOffsets(hashes.count)
    const finder = new RowFinder(hashes)
    let [done, cutOff] = [0, 0]
    const takeAnswer = (entry: RecordEntry): void => {
      const row = entry.isFailed ? undefined : finder.take(entry.hash)
      if (row === undefined) return
      offsets[row] = entry.offset
      done += 1
      if (entry.isCutOff) cutOff += 1
    }
    const summary = await summarize(file, path, { onRecord: takeAnswer, signal })
    const others = summary.succeeded - done
    checkManifest(path, manifest, summary, others)
    let [parts, lastParts] = [0, 0]
    // Once all answers have their rows: a row with a part may have been answered since.
    const takesParts = partsAre === 'taken'
    if (summary.hasParts && partsAre !== 'sent') {
      const takePart = ({ hash, limit, offset, isCutOff }: RecordEntry): void => {
        if (limit === undefined) return
        const row = finder.take(hash, (one) => !hashes.hasHigherLimit(one, limit))
        if (row === undefined) return
        if (takesParts) done += 1
        else parts += 1
        offsets[row] = takesParts ? offset : failedAt(offset)
        if (isCutOff && takesParts) cutOff += 1
        if (offset > summary.start) lastParts += 1
      }
      await summarize(file, path, { onRecord: takePart, signal })
    }
    const tornSize = fstatSync(file).size - summary.size
    const journal = new Journal(path, file, summary.size, offsets, others)
    journal.begin(manifest)
    return {
      journal,
      summary,
      done,
      parts,
      cutOff,
      notices: noticesOf(summary, manifest, {
        rows: hashes.count,
        done,
        others,
        again: summary.failed - lastParts,
        tornSize,
      }),
      warnings: warningsOf(summary, path),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

type RecordEntry = Extract<JournalEntry, { type: 'record' }>

/**
 * Reads a journal.
 * @param options `onRecord` is called with each record.
 * @throws UsageError for a file without a manifest, or of another version; system errors; the signal's reason.
 */
export async function summarize(
  file: number,
  path: string,
  { onRecord, signal }: { onRecord?: (record: RecordEntry) => void; signal?: AbortSignal | undefined } = {},
): Promise<JournalSummary> {
  let manifest: Manifest | undefined
  let replaces: Digest | undefined
  let end: RunEnd | undefined
  let output: Digest | undefined
  let [written, start, hasParts] = [0, 0, false]
  let [succeeded, failed, promptTokens, completionTokens, inFlight, invalid, size] = [0, 0, 0, 0, 0, 0, 0]
  for await (const part of readJournal(file, signal)) {
    size = part.end
    for (const entry of part.entries) {
      switch (entry.type) {
        case 'manifest':
          manifest = entry.manifest
          replaces ??= manifest.replaces
          start = entry.offset
          end = undefined
          inFlight = entry.manifest.jobs
          failed = 0
          break
        case 'record':
          if (entry.isFailed) failed += 1
          else succeeded += 1
          if (entry.isWritten) written += 1
          hasParts ||= entry.limit !== undefined
          promptTokens += entry.promptTokens
          completionTokens += entry.completionTokens
          inFlight = entry.jobs
          onRecord?.(entry)
          break
        case 'end':
          end = entry.end
          output = entry.output
          inFlight = entry.inFlight
          break
        case 'otherVersion':
          throw new UsageError(`${path} is of another version of syn, ${entry.version}`, {
            hint: 'continue with that version, or use --restart to start again without its results',
          })
        case 'invalid':
          invalid += 1
      }
    }
  }
  if (!manifest) throw new UsageError(`${path} has no manifest`, { hint: 'use --restart to start again' })
  return {
    manifest,
    replaces,
    succeeded,
    failed,
    promptTokens,
    completionTokens,
    end,
    inFlight,
    start,
    hasParts,
    written,
    output,
    invalid,
    size,
  }
}

/** Opens a journal to read it. @returns `undefined` without one. @throws FailedError */
export function openJournal(path: string, flags: number): number | undefined {
  try {
    // A named pipe would block the process.
    const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0))
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
  throw new FailedError(`cannot read ${path}: not a regular file`)
}

/** @param unmatched The number of recorded answers that no row asks for. @throws UsageError */
function checkManifest(
  path: string,
  now: Manifest,
  { manifest: former, succeeded, written, replaces }: JournalSummary,
  unmatched: number,
): void {
  const restart = 'use --restart to start again without its results'
  if (succeeded > 0 && former.base_url !== now.base_url) {
    throw new UsageError(`the results in ${path} are from another base URL: ${former.base_url}`, {
      hint: `${restart}, or choose another --output`,
    })
  }
  const hint = `${restart}, or use the former settings`
  // Rows of finished results cannot be written in another way.
  const rows = written > 0 ? changedOutput(former, now) : []
  if (rows.length > 0)
    throw new UsageError(`${path} has rows that were written with other settings: ${rows.join(', ')}`, { hint })
  const parts = changedParts(former, now)
  if (succeeded > 0 && parts[0] === '--allow-cut') {
    throw new UsageError(`${path} has results of a run with --allow-cut`, { hint: `${restart}, or use it again` })
  }
  if (replaces && (parts.length > 0 || changedOutput(former, now).length > 0)) {
    const names = [...parts, ...changedOutput(former, now)].join(', ')
    throw new UsageError(`${path} is of a run with --restart and other settings: ${names}`, { hint })
  }
  if (unmatched === 0 || parts.length === 0) return
  const share =
    unmatched === succeeded
      ? `all ${grouped(succeeded)} requests`
      : `${grouped(unmatched)} of ${grouped(succeeded)} requests`
  const differ = parts.length === 1 ? 'is not that' : 'are not those'
  throw new UsageError(`${share} changed: ${parts.join(', ')} ${differ} of ${path}`, { hint })
}

function noticesOf(
  { end, inFlight, manifest: former }: JournalSummary,
  now: Manifest,
  { rows, done, others, again, tornSize }: Record<'rows' | 'done' | 'others' | 'again' | 'tornSize', number>,
): string[] {
  const notices = [doneText(done, rows)]
  if (others > 0) {
    notices.push(`${countText(others, 'recorded result')} ${others === 1 ? 'belongs' : 'belong'} to no row of this run`)
  }
  if (again > 0)
    notices.push(`${countText(again, 'failed row')} of the last run ${again === 1 ? 'is' : 'are'} sent again`)
  if (end === undefined) {
    notices.push(
      `the last run was killed: up to ${pluralize(inFlight, 'request')} in flight then may be paid for twice`,
    )
  } else if (inFlight > 0) {
    notices.push(`${pluralize(inFlight, 'request')} in flight at the end of the last run may be paid for twice`)
  }
  if (tornSize > 0) notices.push('the last line of the journal was incomplete, and is removed')
  if (former.model && now.model && former.model.requested !== now.model.requested) {
    notices.push(`the model was ${former.model.requested} in the last run, and is ${now.model.requested} now`)
  } else if (former.model && now.model && former.model.stands_for !== now.model.stands_for) {
    notices.push(
      `${now.model.requested} was ${former.model.stands_for} in the last run, and is ${now.model.stands_for} now`,
    )
  }
  return notices
}

function warningsOf({ invalid }: JournalSummary, path: string): string[] {
  if (invalid === 0) return []
  return [damagedText(path, invalid)]
}

export function damagedText(path: string, lines: number): string {
  return `${path}: ${countText(lines, 'line')} ${lines === 1 ? 'is' : 'are'} damaged; the rows are sent again`
}
