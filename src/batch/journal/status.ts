/** `syn batch status`: how far a run is, from its files alone. */

import { closeSync, fstatSync, statSync } from 'node:fs'
import { atEnd } from '../../io/at-end.ts'
import { FailedError } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { isLocked } from '../../io/files/private.ts'
import { openIfExists, readChunks } from '../../io/files/regular-file.ts'
import { isFile } from '../../io/files/stats.ts'
import { timeText } from '../../io/time/time.ts'
import { grouped } from '../../io/text/plural.ts'
import { type BatchFiles, findBatchFiles, identityPaths } from './files.ts'
import { type JournalSummary, summarize } from './journal-reader.ts'

export interface BatchStatus {
  /** `killed` without the line that ends a run; `failed` when all rows were sent, and some failed. */
  readonly state: 'running' | 'stopped' | 'interrupted' | 'killed' | 'failed' | 'complete'
  /** The number of rows; `undefined` for whole results as CSV or TSV, where a row may have several lines. */
  readonly rows: number | undefined
  readonly done: number | undefined
  readonly failed: number
  /** What the journal has, and the time of its last record in milliseconds since 1970; `undefined` for whole results. */
  readonly run?: JournalSummary & { readonly lastRecord: number }
}

/**
 * @param path As given with `--output` of the run.
 * @throws FailedError without a run, or when its files cannot be read; UsageError for a file that is not a journal; the
 *   signal's reason.
 */
export async function readStatus(path: string, signal?: AbortSignal): Promise<BatchStatus> {
  const files = await findBatchFiles(path)
  const isRunning = await isLocked(files.output)
  const journal = openIfExists(files.journal)
  if (journal === undefined) return wholeStatus(path, files)
  using _journal = atEnd(() => closeSync(journal))
  const summary = await summarize(journal, files.journal, { signal })
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

/** As lines for people. @param now In milliseconds since 1970. */
export function statusText({ state, rows, done, failed, run }: BatchStatus, now: number): string {
  const lines: (readonly [string, string])[] = [['State', state]]
  if (rows !== undefined) lines.push(['Rows', grouped(rows)])
  if (done !== undefined) lines.push(['Done', grouped(done)])
  lines.push(['Failed', grouped(failed)])
  if (run) {
    const { inFlight, promptTokens, completionTokens, manifest, lastRecord } = run
    if (inFlight > 0) lines.push(['In flight', `at most ${inFlight}`])
    lines.push(
      ['Tokens', `${grouped(promptTokens)} prompt, ${grouped(completionTokens)} completion`],
      ['Input', manifest.input.path],
      ['Started', timeText(Date.parse(manifest.started), now)],
      ['Last record', timeText(lastRecord, now)],
    )
  }
  return lines.map(([name, value]) => `${`${name}:`.padEnd(13)}${value}\n`).join('')
}

export function statusJson({ state, rows, done, failed, run }: BatchStatus): JsonObject {
  const counts = { state, rows: rows ?? null, done: done ?? null, failed }
  if (!run) return counts
  return {
    ...counts,
    in_flight: run.inFlight,
    prompt_tokens: run.promptTokens,
    completion_tokens: run.completionTokens,
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

async function wholeStatus(path: string, files: BatchFiles): Promise<BatchStatus> {
  const { output, errors } = files
  // Any other file is not of syn batch.
  if (!identityPaths(files).some(isFile) || !isFile(output)) {
    throw new FailedError(`no run of syn batch with --output ${path}`)
  }
  const [done, failed] = [/\.[ct]sv$/i.test(output) ? undefined : await countLines(output), await countLines(errors)]
  return { state: 'complete', rows: done, done, failed }
}

/** @returns 0 without the file. @throws FailedError */
async function countLines(path: string): Promise<number> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 0
  let lines = 0
  for await (const chunk of readChunks(path)) {
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines += 1
  }
  return lines
}
