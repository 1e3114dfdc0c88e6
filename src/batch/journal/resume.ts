/** Continues a run: finds the rows whose results are in the journal. A result belongs to a row with the same request. */

import { closeSync, constants, fstatSync, statSync } from 'node:fs'
import { FailedError, UsageError } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { countText, grouped, pluralize } from '../../io/text/plural.ts'
import { openIfExists } from '../../io/files/regular-file.ts'
import type { BatchFiles } from './files.ts'
import { Journal } from './journal.ts'
import { firstLine, type JournalRecord, type JournalSummary, partLimit, summarize } from './journal-reader.ts'
import { changedOutput, changedParts, type Manifest } from './manifest.ts'
import type { RowHashes } from './row-hashes.ts'

export interface ResumedRun {
  readonly journal: Journal
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
  const file = openIfExists(path, constants.O_RDWR | constants.O_APPEND)
  if (file === undefined) throw new FailedError(`cannot read ${path}: no such file`)
  try {
    const journal = new Journal(path, file, hashes.count)
    let [done, cutOff] = [0, 0]
    const take = (row: number, offset: number, { cut_off }: JsonObject): void => {
      journal.setOffset(row, offset)
      done += 1
      if (cut_off === true) cutOff += 1
    }
    const takeAnswer = ({ hash, head }: JournalRecord, offset: number): void => {
      const row = head.failed === true ? undefined : hashes.take(hash)
      if (row !== undefined) take(row, offset, head)
    }
    const summary = await summarize(file, path, { onRecord: takeAnswer, signal })
    journal.otherResults = summary.succeeded - done
    checkManifest(path, manifest, summary, journal.otherResults)
    let [parts, lastParts] = [0, 0]
    const takePart = ({ hash, head }: JournalRecord, offset: number): void => {
      const limit = partLimit(head)
      if (limit === undefined) return
      const row = hashes.take(hash, (one) => !hashes.hasHigherLimit(one, limit))
      if (row === undefined) return
      if (partsAre === 'taken') take(row, offset, head)
      else {
        journal.setOffset(row, offset)
        parts += 1
      }
      if (offset > summary.start) lastParts += 1
    }
    // Once all answers have their rows: a row with a part may have been answered since.
    if (summary.hasParts && partsAre !== 'sent') await summarize(file, path, { onRecord: takePart, signal })
    const tornSize = fstatSync(file).size - summary.size
    journal.begin(manifest, summary.size)
    const again = summary.failed - lastParts
    return {
      journal,
      done,
      parts,
      cutOff,
      notices: noticesOf(summary, manifest, {
        rows: hashes.count,
        done,
        others: journal.otherResults,
        again,
        tornSize,
      }),
      warnings: summary.invalid === 0 ? [] : [damagedText(path, summary.invalid)],
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** @param unmatched The number of recorded answers that no row asks for. @throws UsageError */
function checkManifest(
  path: string,
  now: Manifest,
  { manifest: former, succeeded, hasWritten, replaces }: JournalSummary,
  unmatched: number,
): void {
  const restart = 'use --restart to start again without its results'
  if (succeeded > 0 && former.base_url !== now.base_url) {
    throw new UsageError(`the results in ${path} are from another base URL: ${former.base_url}`, {
      hint: `${restart}, or choose another --output`,
    })
  }
  const hint = `${restart}, or use the former settings`
  const [parts, output] = [changedParts(former, now), changedOutput(former, now)]
  // Rows of finished results cannot be written in another way.
  if (hasWritten && output.length > 0)
    throw new UsageError(`${path} has rows that were written with other settings: ${output.join(', ')}`, { hint })
  if (succeeded > 0 && parts[0] === '--allow-cut') {
    throw new UsageError(`${path} has results of a run with --allow-cut`, { hint: `${restart}, or use it again` })
  }
  const all = [...parts, ...output].join(', ')
  if (replaces && all !== '')
    throw new UsageError(`${path} is of a run with --restart and other settings: ${all}`, { hint })
  if (unmatched === 0 || parts.length === 0) return
  const share = unmatched === succeeded ? `all ${grouped(succeeded)}` : `${grouped(unmatched)} of ${grouped(succeeded)}`
  const differ = parts.length === 1 ? 'is not that' : 'are not those'
  throw new UsageError(`${share} requests changed: ${parts.join(', ')} ${differ} of ${path}`, { hint })
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
  if (former.model && now.model) {
    const [was, is] = [former.model, now.model]
    if (was.requested !== is.requested)
      notices.push(`the model was ${was.requested} in the last run, and is ${is.requested} now`)
    else if (was.stands_for !== is.stands_for)
      notices.push(`${is.requested} was ${was.stands_for} in the last run, and is ${is.stands_for} now`)
  }
  return notices
}

export function damagedText(path: string, lines: number): string {
  return `${path}: ${countText(lines, 'line')} ${lines === 1 ? 'is' : 'are'} damaged; the rows are sent again`
}

/** `412 of 10,000 rows are done` */
export function doneText(done: number, total: number): string {
  return `${grouped(done)} of ${countText(total, 'row')} ${done === 1 || total === 1 ? 'is' : 'are'} done`
}
