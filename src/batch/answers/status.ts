/** `syn batch status`: how far a run is, from the store of its answers alone. */

import { closeSync, fstatSync } from 'node:fs'
import { costText } from '../../answer/usage-text.ts'
import type { UsageTotals } from '../../answer/usage-totals.ts'
import type { Model } from '../../api/models.ts'
import { defer } from '../../io/defer.ts'
import { FailedError } from '../../errors.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { isLocked } from '../../io/files/private.ts'
import { openIfExists } from '../../io/files/regular-file.ts'
import { timeText } from '../../io/time/time.ts'
import { countText, grouped } from '../../io/text/plural.ts'
import { findBatchFiles } from './files.ts'
import { scanStore } from './scan.ts'

type BatchStatus = Awaited<ReturnType<typeof readStatus>>

/**
 * @param path As given with `--output` of the run.
 * @returns `state`: `running`, `stopped`, `interrupted`, `complete`, `killed` without the line that ends a run, or `failed` when
 *   all rows were sent, and some failed. The store has its size in bytes, and when it was written, in milliseconds since 1970.
 * @throws FailedError without a run, or when its files cannot be read; UsageError for a store of another version; the signal's
 *   reason.
 */
export async function readStatus(path: string, signal?: AbortSignal) {
  const { output, answers } = await findBatchFiles(path)
  const isRunning = await isLocked(output)
  const file = openIfExists(answers)
  if (file !== undefined) {
    using _file = defer(() => closeSync(file))
    const summary = await scanStore(file, answers, { signal })
    const { run, end = 'killed', failed, hasWritten } = summary
    const ended = end !== 'complete' ? end : !hasWritten ? 'stopped' : failed > 0 ? 'failed' : end
    const { size, mtimeMs: time } = fstatSync(file)
    if (run) return { state: isRunning ? 'running' : ended, run, summary, store: { path: answers, size, time } }
  }
  throw new FailedError(`no run of syn batch with --output ${path}`)
}

/** Lines for people. @param now In milliseconds since 1970. @param list Has the prices. */
export function statusText({ state, run, summary, store }: BatchStatus, now: number, list: readonly Model[]): string {
  const { done, failed, inFlight, spent, spentByRun } = summary
  const ofEach = (text: (totals: UsageTotals) => string): string =>
    `${text(spentByRun)} in the last run, ${text(spent)} in all`
  const lines: (readonly [string, string])[] = [
    ['State', state],
    ['Rows', grouped(run.rows)],
    ['Done', grouped(done)],
    ['Failed', grouped(failed)],
    ...(inFlight > 0 ? [['In flight', `at most ${inFlight}`] as const] : []),
    ['Tokens', ofEach(tokensText)],
    ...(spent.cost(list) ? [['Cost', ofEach((totals) => costText(totals.cost(list) ?? 0))] as const] : []),
    ['Input', run.input],
    ['Answers', `${store.path}, ${countText(store.size, 'byte')}`],
    ['Started', timeText(Date.parse(run.started), now)],
    ['Last record', timeText(store.time, now)],
  ]
  return lines.map(([name, value]) => `${`${name}:`.padEnd(13)}${value}\n`).join('')
}

function tokensText({ usage }: UsageTotals): string {
  return `${grouped(usage?.promptTokens ?? 0)} prompt + ${grouped(usage?.completionTokens ?? 0)} completion`
}

/** The last run is that which is running, if one is. */
export function statusJson({ state, run, summary, store }: BatchStatus, list: readonly Model[]): JsonObject {
  const spending = (totals: UsageTotals): JsonObject => ({
    prompt_tokens: totals.usage?.promptTokens ?? 0,
    completion_tokens: totals.usage?.completionTokens ?? 0,
    cost: totals.cost(list) || null,
  })
  return {
    state,
    rows: run.rows,
    done: summary.done,
    failed: summary.failed,
    in_flight: summary.inFlight,
    ...spending(summary.spent),
    last_run: spending(summary.spentByRun),
    input: run.input,
    answers: store.path,
    size: store.size,
    started: run.started,
    last_record: new Date(store.time).toISOString(),
  }
}
