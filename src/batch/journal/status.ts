/** `syn batch status`: how far a run is, from its files alone. */

import { closeSync, fstatSync } from 'node:fs'
import { costText } from '../../answer/meter.ts'
import { costOf, type Model } from '../../api/models.ts'
import { atEnd } from '../../io/at-end.ts'
import { FailedError } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { isLocked } from '../../io/files/private.ts'
import { openIfExists } from '../../io/files/regular-file.ts'
import { isFile } from '../../io/files/stats.ts'
import { timeText } from '../../io/time/time.ts'
import { grouped } from '../../io/text/plural.ts'
import { findBatchFiles, identityPaths } from './files.ts'
import { type JournalSummary, summarize } from './journal-reader.ts'

export interface BatchStatus {
  /** `killed` without the line that ends a run; `failed` when all rows were sent, and some failed. */
  readonly state: 'running' | 'stopped' | 'interrupted' | 'killed' | 'failed' | 'complete'
  readonly rows: number
  readonly done: number
  readonly failed: number
  /** What the journal or the identity has, and the time of its last record in milliseconds since 1970. */
  readonly run: JournalSummary & { readonly lastRecord: number }
}

/**
 * @param path As given with `--output` of the run.
 * @throws FailedError without a run, or when its files cannot be read; UsageError for a file that is not a journal; the
 *   signal's reason.
 */
export async function readStatus(path: string, signal?: AbortSignal): Promise<BatchStatus> {
  const files = await findBatchFiles(path)
  const isRunning = await isLocked(files.output)
  // A run whose rows all have a result leaves them and an identity, both before the journal is removed.
  for (const kept of [files.journal, ...identityPaths(files)]) {
    const journal = openIfExists(kept)
    if (journal === undefined) continue
    using _journal = atEnd(() => closeSync(journal))
    if (kept === files.journal || isFile(files.output)) return await statusOf(journal, kept, isRunning, signal)
  }
  throw new FailedError(`no run of syn batch with --output ${path}`)
}

async function statusOf(journal: number, path: string, isRunning: boolean, signal?: AbortSignal): Promise<BatchStatus> {
  const summary = await summarize(journal, path, { signal })
  const { rows } = summary.manifest.input
  // More answers than rows: lines were removed from the input.
  const done = Math.min(summary.succeeded, rows)
  return {
    state: isRunning ? 'running' : endedState(summary, done),
    rows,
    done,
    failed: failedRows(summary, done),
    run: { ...summary, lastRecord: fstatSync(journal).mtimeMs },
  }
}

/** @returns `undefined` without tokens, or if one of the models has no price in the list. */
export function runCost({ run }: BatchStatus, list: readonly Model[]): number | undefined {
  const { model } = run.manifest
  let sum: number | undefined
  for (const [own, usage] of run.usages) {
    const cost = costOf(list, own === '' ? [model?.requested, model?.stands_for] : [own], usage)
    if (cost === undefined) return undefined
    sum = (sum ?? 0) + cost
  }
  return sum
}

/** The status of a run as lines for people. @param now In milliseconds since 1970. */
export function statusText({ state, rows, done, failed, run }: BatchStatus, now: number, cost?: number): string {
  const { inFlight, promptTokens, completionTokens, manifest, lastRecord } = run
  const lines: (readonly [string, string])[] = [
    ['State', state],
    ['Rows', grouped(rows)],
    ['Done', grouped(done)],
    ['Failed', grouped(failed)],
    ...(inFlight > 0 ? [['In flight', `at most ${inFlight}`] as const] : []),
    ['Tokens', `${grouped(promptTokens)} prompt, ${grouped(completionTokens)} completion`],
    ...(cost === undefined ? [] : [['Cost', costText(cost)] as const]),
    ['Input', manifest.input.path],
    ['Started', timeText(Date.parse(manifest.started), now)],
    ['Last record', timeText(lastRecord, now)],
  ]
  return lines.map(([name, value]) => `${`${name}:`.padEnd(13)}${value}\n`).join('')
}

export function statusJson({ state, rows, done, failed, run }: BatchStatus, cost?: number): JsonObject {
  return {
    state,
    rows,
    done,
    failed,
    in_flight: run.inFlight,
    prompt_tokens: run.promptTokens,
    completion_tokens: run.completionTokens,
    cost: cost ?? null,
    input: run.manifest.input.path,
    started: run.manifest.started,
    last_record: new Date(run.lastRecord).toISOString(),
  }
}

/** Invalid rows are not sent, and have no record: when all others are, they are the rest. */
function failedRows({ end, failed, manifest }: JournalSummary, done: number): number {
  return end === 'complete' ? manifest.input.rows - done : failed
}

function endedState(summary: JournalSummary, done: number): BatchStatus['state'] {
  const { end } = summary
  if (end === undefined) return 'killed'
  return end === 'complete' && failedRows(summary, done) > 0 ? 'failed' : end
}
