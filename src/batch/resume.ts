/** What the store has of the rows of a run, what a run says of it, and when it is refused. */

import { closeSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { defer } from '../io/defer.ts'
import { openIfExists } from '../io/files/regular-file.ts'
import { statsOf } from '../io/files/stats.ts'
import { countText, grouped, pluralize } from '../io/text/plural.ts'
import type { Notices } from '../notices.ts'
import type { BatchFiles } from './answers/files.ts'
import type { RunRecord, RunSettings } from './answers/line.ts'
import { type Digest, scanStore, StoreSummary } from './answers/scan.ts'
import type { Job, OpenJob } from './job.ts'
import { checkRows } from './requests/checked-rows.ts'

export type Recorded = Awaited<ReturnType<typeof readRecorded>>

/** Checks the rows, and gives them their answers. @throws UsageError for --offline without a store. */
export async function readRecorded(
  open: OpenJob,
  { answers: path }: Pick<BatchFiles, 'answers'>,
  notices: Notices,
  signal: AbortSignal,
) {
  const { recorded, allowsCut, models } = open.job
  const hasStore = Boolean(statsOf(path)?.size)
  if (recorded.isOffline && !hasStore) throw new UsageError(`--offline: there are no recorded answers: no ${path}`)
  const countsEach = recorded.dedupes || models.length > 1
  const checked = await checkRows(open, hasStore || countsEach, notices)
  const { answers, count, invalid } = checked
  const file = openIfExists(path)
  using _file = defer(() => file !== undefined && closeSync(file))
  const summary =
    file === undefined
      ? new StoreSummary()
      : await scanStore(file, path, { answers, signal, retriesEmpty: recorded.retriesEmpty })
  if (recorded.restarts) {
    answers.forget({ start: 0, end: Infinity })
    summary.parts = 0
  }
  const leftOf = countsEach ? answers.countFirst(models.length) : [count - invalid - answers.answered]
  if (models.length > 1) for (const [at, one] of leftOf.entries()) open.forecast.limit(models[at] ?? null, one)
  const left = leftOf.reduce((sum, one) => sum + one)
  const parts = allowsCut ? 0 : summary.parts
  /** The number of rows that have an answer, of those whose answer is not whole, and of those that would be sent. */
  const counts = { answered: answers.answered - parts, parts, left }
  return { checked, summary, ...counts }
}

/** @throws UsageError for results that syn did not write, or that were changed since. */
export function checkOutput(
  { output, answers }: BatchFiles,
  { outputs, run }: StoreSummary,
  { size = 0, hash = '' }: Partial<Digest> = {},
): void {
  // An empty file was made for the results, as by mktemp.
  if (size === 0 || outputs.some((one) => one.size === size && one.hash === hash)) return
  throw run
    ? new UsageError(
        `${output} was changed since syn batch wrote it, or is of other runs: ${answers} does not know it`,
        {
          hint: 'move it: the same command writes it again, from the recorded answers',
        },
      )
    : new UsageError(`${output} exists and was not written by syn batch: there is no ${answers}`, {
        hint: 'move it, or choose another --output',
      })
}

/** @throws UsageError for requests with settings that no run had, and for answers of which none is of a row. */
export function checkSettings(
  { job, input, unit }: OpenJob,
  { answers: path }: Pick<BatchFiles, 'answers'>,
  { summary, left }: Recorded,
  settings: RunSettings,
): void {
  const { restarts, isOffline, takesNewSettings } = job.recorded
  const changed = summary.run ? summary.changed(settings) : []
  const names = changed.join(', ')
  const sends = left > 0 && !isOffline
  if (sends && changed.length > 0 && !takesNewSettings) {
    throw new UsageError(`${countText(left, unit)} would be sent with other settings than before: ${names}`, {
      hint: `use --new-settings to send ${left === 1 ? 'it' : 'them'}; the answers in ${path} are kept`,
    })
  }
  const others = summary.answers(settings) - summary.used
  const isSubset = summary.hasOtherModels(settings)
  if (restarts && others > 0 && (isPartOfInput(job) || isSubset)) {
    const [what, hint] = isSubset
      ? ['of other models', 'name all with -m']
      : ['to rows of other shards', 'leave out --shard']
    throw new UsageError(`--restart would also drop ${countText(others, 'answer')} ${what}`, {
      hint: `${hint}, or choose another --output`,
    })
  }
  const isOfNone = summary.used + summary.parts === 0 && summary.answers(sends ? settings : undefined) > 0
  if (!isOfNone || restarts || takesNewSettings || job.input.files || isPartOfInput(job)) return
  throw new UsageError(`no answer in ${path} is of a row of ${input.where}`, {
    hint:
      changed.length > 0
        ? `these settings differ: ${names}`
        : 'choose another --output, or use --new-settings: the recorded answers are kept',
  })
}

/** Whether the store may have answers to rows of the input that this run leaves out. */
function isPartOfInput({ input: { limit, sample, shard } }: Job): boolean {
  return limit !== undefined || sample !== undefined || shard !== undefined
}

/** Damage that was not named before. */
export function damageNotice({ answers: path }: BatchFiles, { run, damaged }: StoreSummary): string | undefined {
  if (damaged <= (run?.damaged ?? 0)) return undefined
  return `${path}: ${countText(damaged, 'line')} ${damaged === 1 ? 'is' : 'are'} damaged, and not used`
}

/** What the user is to know before a run. @param now The run that is about to start. */
export function resumeNotices({ answers: path }: BatchFiles, { summary }: Recorded, now: RunRecord): string[] {
  const { end, inFlight, run: former, damaged, size } = summary
  if (!former) return []
  const notices: string[] = []
  if (damaged > 0 && damaged === former.damaged) notices.push(`${path} has ${countText(damaged, 'damaged line')}`)
  if ((statsOf(path)?.size ?? 0) > size) notices.push(`the last line of ${path} was incomplete, and does not count`)
  if (summary.failure !== undefined) notices.push(`the last run stopped: ${summary.failure}`)
  if (end === undefined) {
    notices.push(
      `the last run was killed: up to ${pluralize(inFlight, 'request')} in flight then may be paid for twice`,
    )
  } else if (inFlight > 0) {
    notices.push(`${pluralize(inFlight, 'request')} in flight at the end of the last run may be paid for twice`)
  }
  const [was, is] = [former.model, now.model]
  const isKnown = was.stands_for !== was.requested && is.stands_for !== is.requested
  if (isKnown && was.requested === is.requested && was.stands_for !== is.stands_for) {
    notices.push(`${is.requested} was ${was.stands_for} in the last run, and is ${is.stands_for} now`)
  }
  return notices
}

/** `412 of 10,000 rows have an answer` */
export function answeredText(answered: number, total: number, unit: string): string {
  return `${grouped(answered)} of ${countText(total, unit)} ${answered === 1 || total === 1 ? 'has' : 'have'} an answer`
}
