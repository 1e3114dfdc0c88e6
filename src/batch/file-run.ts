/** A run with `--output`: results are kept in a journal as they arrive, and put into the order of the input at the end. */

import { renameSync } from 'node:fs'
import { FailedError, InterruptedError, SynError, withAddedHint } from '../errors.ts'
import type { Json } from '../io/json/json.ts'
import { packageVersion } from '../io/process/package.ts'
import { holdLock } from '../io/files/private.ts'
import { removeFile } from '../io/files/regular-file.ts'
import { typedLine } from '../io/text/shell-word.ts'
import { pause, startTimer } from '../io/time/timer.ts'
import type { Catalog } from '../models/catalog.ts'
import { type CheckedRows, checkRows, outputRows, readRows } from './requests/checked-rows.ts'
import {
  checkIdentity,
  digestOf,
  hasIds,
  type Identity,
  identityOf,
  isComplete,
  keepRows,
  reopenJournal,
} from './output/identity.ts'
import { type BatchFiles, checkBatchFiles, type InputFile, stateOfFiles, temporaryPath } from './journal/files.ts'
import { createJournal, type Journal, OtherRunError } from './journal/journal.ts'
import { type Job, type JobContext, manifestOf, type OpenJob, openJob } from './job.ts'
import { writeOutput } from './output/output.ts'
import { countText, grouped } from '../io/text/plural.ts'
import type { Manifest } from './journal/manifest.ts'
import { damagedText, doneText, resumeJournal, stateOf } from './journal/resume.ts'
import type { RowRequest, RowResult } from './row.ts'
import { firstLimit } from './sending/concurrency.ts'
import { jobsOf, quotaText, runPool, startPool } from './sending/start-pool.ts'
import { Tally } from './tally.ts'

/** In milliseconds. A lock is updated more often. */
const lockUpdateTime = 3000

/** In milliseconds: the lock of a run that was killed is free after a few seconds. */
const waitNotice = 500

/**
 * @param path As given with `--output`. @param restarts Whether to start again, without earlier results.
 * @throws UsageError before anything is sent; what stops the run; `Tally.failure` if rows failed.
 */
export async function runToFile(job: Job, path: string, restarts: boolean, context: JobContext): Promise<void> {
  const { io, notices } = context
  const input: InputFile[] = job.path === undefined || job.path === '-' ? [] : [['the input', job.path]]
  const files = await checkBatchFiles(path, hasIds(job.output), [...input, ...job.files])
  const lost = new AbortController()
  const waiting = startTimer(waitNotice, () => void notices.info(`waiting for another run to release ${path}`))
  const holding = holdLock(files.output, { signal: io.signal, onLost: (error) => lost.abort(error) })
  await using _lock = await holding.finally(() => clearTimeout(waiting))
  try {
    const before = stateOfFiles(files)
    const state = stateOf(files)
    const identity = restarts ? undefined : await identityOf(files, { signal: io.signal })
    using open = await openJob(job, context, files.spool)
    const signal = AbortSignal.any([io.signal, lost.signal])
    const line = continueLine(context.argv, open.input.keepCopy && { spool: files.spool, input: job.path })
    await run({ open, files, before, path, state: restarts ? 'new' : state, identity, signal, line }, context)
  } catch (error) {
    // Until the next update of the lock, when it is known to be lost: else that of the other run would be released.
    if (error instanceof OtherRunError) await pause(lockUpdateTime, { signal: lost.signal }).catch(() => undefined)
    throw error
  }
}

interface FileRun {
  readonly open: OpenJob
  readonly files: BatchFiles
  /** Of the files, before anything was sent. */
  readonly before: string
  readonly path: string
  readonly state: ReturnType<typeof stateOf>
  /** Of the results that are there. */
  readonly identity: Identity | undefined
  readonly signal: AbortSignal
  /** The command line that continues the run. */
  readonly line: string
}

async function run(options: FileRun, context: JobContext): Promise<void> {
  const { open, files, before, state, identity, path, line } = options
  const { job, input } = open
  const { io, notices, settings } = context
  const { shard, limit, sample } = job.input
  const isSelective = shard !== undefined || limit !== undefined || sample !== undefined
  if (identity && isSelective) await keepRows(open, identity)
  const checked = await checkRows(open, state !== 'new', notices)
  if (checked.count === 0) await notices.warn(`${input.where} has no rows`)
  // Another run may have started meanwhile, if the lock was lost.
  options.signal.throwIfAborted()
  // A run that was killed before it had a journal leaves this.
  removeFile(temporaryPath(files, 'journal'))
  const manifest = manifestOf(open, {
    syn: packageVersion(),
    started: new Date(io.now()).toISOString(),
    base_url: settings.cacheKey ?? settings.service ?? settings.baseUrl(),
    replaces: state === 'new' ? await digestOf(files.output) : undefined,
    jobs: firstLimit(jobsOf(job, checked.usesQuota)),
    rows: checked.count,
  })
  if (identity) {
    await checkIdentity(path, manifest, identity, { hashes: checked.hashes, isUnfinished: state === 'unfinished' })
  }
  if (identity && state === 'complete') {
    const { invalid } = identity
    if (invalid > 0) await notices.warn(damagedText(identity.path, invalid))
    if (await isComplete(files, identity, open, checked)) {
      return await notices.info(`${path} is complete: nothing was sent; use --restart to run it again`)
    }
  }
  // Its other name is taken by the new one, and results that have none are refused.
  if (identity && identity.path !== files.identity) renameSync(identity.path, files.identity)
  const tally = new Tally(io.elapsed)
  const journal = await openJournal(options, checked, manifest, tally, context)
  await using _journal = { [Symbol.asyncDispose]: () => journal.close() }
  // Not before: until the journal is that of this input, an older copy may be the only one of its rows.
  await input.keepCopy?.()
  await sendRows(options, { checked, journal, tally }, context)
  await journal.end('complete', 0, io.now())
  const format = job.output
  const failed = await writeOutput(files, journal, outputRows(open, checked), { format, input, before })
  await notices.info(`${tally.summary(input.notes())}${tally.succeeded > 0 ? `; results in ${path}` : ''}`)
  const rows = countText(checked.count, 'row')
  const { parts } = tally
  const notWhole = `${countText(parts, 'answer')} ${parts === 1 ? 'is' : 'are'} empty or cut off at the token limit`
  if (tally.failed > 0) {
    const last = tally.lastError ? `failed, the last one with: ${tally.lastError.message}` : `failed: ${notWhole}`
    const message = `${grouped(failed)} of ${rows} ${last}; see ${files.errors}`
    throw tally.failure(message, sendAgainText(tally, line))
  }
  if (failed > 0)
    throw new FailedError(`${grouped(failed)} of ${rows} are invalid, and were not sent; see ${files.errors}`)
  if (journal.otherResults > 0) {
    const others = countText(journal.otherResults, 'result')
    await notices.info(`${files.journal} is kept: it has ${others} of other rows; remove it if they are not needed`)
  }
}

/**
 * How to continue a run: the command line, or, if it cannot be shown whole, that it is the same.
 * @param argv As typed, after the program's name.
 * @param copy Of an input that can be read only once: its path, and the word that it takes the place of.
 */
function continueLine(argv: readonly string[], copy?: { spool: string; input: string | undefined }): string {
  const words = argv.filter((word) => word !== '--restart')
  if (copy) {
    const at = copy.input === undefined ? -1 : words.indexOf(copy.input)
    words.splice(at === -1 ? words.length : at, 1, copy.spool)
  }
  const line = typedLine(['syn', ...words])
  // In place of several lines, or what looks like a key.
  if (!line.includes('…')) return line
  return `repeat the command${copy ? ` with ${copy.spool} as the input` : ''}`
}

/** How the failed rows are sent again. @param line The same command. */
function sendAgainText({ failed, parts }: Tally, line: string): string {
  if (parts === 0) return `the same command sends only these again: ${line}`
  const others = failed === parts ? '' : `; the same command sends the others again: ${line}`
  return `with a higher token limit, as with --max-tokens or max_tokens of the row, the same command sends these again; --allow-cut takes them as they are${others}`
}

async function openJournal(
  { open: { job }, files, state, identity, signal }: FileRun,
  checked: CheckedRows,
  given: Manifest,
  tally: Tally,
  { notices, client, catalog }: JobContext,
): Promise<Journal> {
  // A missing key or address is reported before any file is changed.
  await client.connected()
  const target = await targetOfAlias(job.model, catalog)
  const manifest =
    target === undefined || !given.model ? given : { ...given, model: { ...given.model, stands_for: target } }
  if (state === 'new' || !checked.hashes) return createJournal(files, manifest, checked.count)
  if (identity && state === 'complete') await reopenJournal(files, identity)
  // Only an answer that arrives is checked by the schema.
  const partsAre = job.allowsCut ? (job.schema ? 'sent' : 'taken') : 'failed'
  const resumed = await resumeJournal(files, manifest, checked.hashes, partsAre, signal)
  tally.resume(resumed)
  for (const text of resumed.warnings) await notices.warn(text)
  for (const text of resumed.notices) await notices.info(text)
  return resumed.journal
}

/** The model that an alias stands for, if the service says. */
async function targetOfAlias(model: Json, catalog: Catalog): Promise<string | undefined> {
  if (typeof model !== 'string' || !model.startsWith('syn:')) return undefined
  return (await catalog.modelsIfAvailable()).find(({ id }) => id === model)?.target
}

/** Sends the rows that have no result. @throws what stops the run, when those in flight are recorded. */
async function sendRows(
  { open, signal, line }: FileRun,
  { checked, journal, tally }: { checked: CheckedRows; journal: Journal; tally: Tally },
  context: JobContext,
): Promise<void> {
  const { io, notices } = context
  const total = checked.count - checked.invalid
  const left = total - tally.finished
  if (left === 0) return
  const quota = checked.usesQuota ? await quotaText(context) : undefined
  await notices.info(`${countText(left, 'row')} to send${quota === undefined ? '' : `, ${quota}`}`)

  /** Of the rows that are sent: counted from 0, with the invalid ones. */
  const numbers = new Map<RowRequest, number>()
  async function* unsentRows(): AsyncGenerator<readonly RowRequest[], void, undefined> {
    let next = 0
    for await (const rows of readRows(open, checked)) {
      const unsent: RowRequest[] = []
      for (const row of rows) {
        const number = next++
        if ('error' in row || journal.offsetOf(number) !== undefined) continue
        numbers.set(row, number)
        unsent.push(row)
      }
      if (unsent.length > 0) yield unsent
    }
  }
  const onResult = (request: RowRequest, result: RowResult): void => {
    journal.append(numbers.get(request) ?? -1, request, result, pool.limit)
    numbers.delete(request)
    tally.add(result)
  }
  const pool = await startPool(open.job, { usesQuota: checked.usesQuota, signal, onResult }, context)
  try {
    const progress = { tally, total, format: open.job.progress }
    await runPool(pool, unsentRows(), progress, context)
  } catch (error) {
    const end = error instanceof InterruptedError ? 'interrupted' : 'stopped'
    // If the journal cannot be written, that is the error already.
    await journal.end(end, pool.inFlight, io.now()).catch(() => undefined)
    const done = `${doneText(tally.succeeded, total)}; to continue: ${line}`
    if (error instanceof SynError && !(error instanceof InterruptedError)) throw withAddedHint(error, done)
    await notices.warn(done)
    throw error
  }
}
