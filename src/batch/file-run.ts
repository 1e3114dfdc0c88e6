/** A run with `--output`: answers are recorded as they arrive, and put into the order of the input at the end. */

import { FailedError, InterruptedError, SynError, ThresholdError, UsageError, withAddedHint } from '../errors.ts'
import { packageVersion } from '../io/process/package.ts'
import { holdLock } from '../io/files/private.ts'
import { removeFile } from '../io/files/regular-file.ts'
import { writeText } from '../io/io.ts'
import { safe, sanitizeJson, sanitizeName } from '../io/text/safe-text.ts'
import { typedLine } from '../io/text/shell-word.ts'
import { countText, grouped } from '../io/text/plural.ts'
import { pause, startTimer } from '../io/time/time.ts'
import type { Catalog } from '../models/catalog.ts'
import type { Json } from '../io/json/json.ts'
import { bareText } from '../io/json/print.ts'
import { askConfirmation, canAsk } from '../io/process/question.ts'
import { type BatchFiles, checkBatchFiles, stateOfFiles } from './answers/files.ts'
import type { RunRecord } from './answers/line.ts'
import { AnswerStore, OtherRunError } from './answers/store.ts'
import { baseUrlOf, type Job, type JobContext, type OpenJob, openJob, settingsOf } from './job.ts'
import { digestOf, writeOutput, type WrittenOutput } from './output/output.ts'
import { type Score, Scores, scoreText } from './output/scores.ts'
import { Rate, stateJson } from './progress.ts'
import {
  answeredText,
  checkOutput,
  checkSettings,
  damageNotice,
  resumeNotices,
  readRecorded,
  type Recorded,
} from './resume.ts'
import { outputRows, readRows } from './requests/checked-rows.ts'
import type { RowRequest, RowResult } from './row.ts'
import { firstLimit } from './sending/controller.ts'
import { errorOfModel } from './sending/error-count.ts'
import { jobsOf, quotaText, runPool, startPool } from './sending/start-pool.ts'
import { RowCounts } from './row-counts.ts'

/** In milliseconds. A lock is updated more often. */
const lockUpdateTime = 3000

/** In milliseconds: the lock of a run that was killed is free after a few seconds. */
const waitNotice = 500

/**
 * @param path As given with `--output`.
 * @throws UsageError before anything is sent; what stops the run; `RowCounts.failure` if rows failed.
 */
export async function runToFile(job: Job, path: string, context: JobContext): Promise<void> {
  const { io, notices, settings } = context
  // Whose answers count is a part of what a request is.
  if (settings.service === undefined) settings.baseUrl()
  const files = await checkBatchFiles(path, job.path)
  const lost = new AbortController()
  const waiting = startTimer(waitNotice, () => void notices.info(`waiting for another run to release ${path}`))
  const holding = holdLock(files.output, { signal: io.signal, onLost: (error) => lost.abort(error) })
  await using _lock = await holding.finally(() => clearTimeout(waiting))
  try {
    const before = stateOfFiles(files)
    using open = await openJob(job, context, files.spool)
    const signal = AbortSignal.any([io.signal, lost.signal])
    const line = continueLine(context.argv, open.input.keepCopy && { spool: files.spool, input: job.path })
    await run({ open, files, before, path, signal, line }, context)
  } catch (error) {
    // Until the next update of the lock, when it is known to be lost: else that of the other run would be released.
    if (error instanceof OtherRunError) await pause(lockUpdateTime, { signal: lost.signal }).catch(() => undefined)
    throw error
  }
}

interface FileRun {
  readonly open: OpenJob
  readonly files: BatchFiles
  /** `stateOfFiles` before anything was sent. */
  readonly before: string
  readonly path: string
  readonly signal: AbortSignal
  /** The command line that continues the run. */
  readonly line: string
}

async function run(options: FileRun, context: JobContext): Promise<void> {
  const { open, files, signal } = options
  const { job, input } = open
  const { io, notices, settings, client, catalog } = context
  const { isOffline } = job.recorded
  const recorded = await readRecorded(open, files, notices, signal)
  const { checked, summary, answered, parts, left } = recorded
  const { count, answers } = checked
  if (count === 0) await notices.warn([`${input.where} has no rows`, ...input.notes()].join(' · '))
  const damage = damageNotice(files, summary)
  if (damage !== undefined) await notices.warn(damage)
  const former = await digestOf(files.output)
  checkOutput(files, summary, former)
  const now = settingsOf(open, baseUrlOf(settings))
  checkSettings(open, files, recorded, now)
  const sends = left > 0 && !isOffline
  // A missing key or address is reported before any file is changed.
  if (sends) await client.connected()
  if (sends) open.forecast.begin(await catalog.availableModels(), left, summary.spent, job)
  const requested = bareText(job.models[0])
  const target = sends ? await targetOfAlias(job.models[0], catalog) : summary.run?.model.stands_for
  const started: RunRecord = {
    syn: packageVersion(),
    started: new Date(io.now()).toISOString(),
    settings: now,
    base_url: baseUrlOf(settings),
    model: { requested, stands_for: target ?? requested },
    jobs: sends ? firstLimit(jobsOf(job, checked.usesQuota)) : 0,
    damaged: summary.damaged,
  }
  for (const text of resumeNotices(files, recorded, started)) await notices.info(text)
  const isFirstOfSeveral = sends && job.models.length > 1 && !summary.run && !job.isConfirmed
  if (isFirstOfSeveral && canAsk(io)) {
    const sum = [`${countText(left, open.unit)} to ${job.models.length} models`, ...open.forecast.planned].join(' · ')
    if (!(await askConfirmation(safe`${sanitizeName(sum)}. Go on?`, io))) throw new FailedError('nothing was sent')
  }
  // Another run may have started meanwhile, if the lock was lost.
  signal.throwIfAborted()
  await using store = new AnswerStore(files.answers)
  const rowCounts = new RowCounts(io.elapsed, open.forecast)
  rowCounts.set(answered, parts)
  if (sends) {
    store.begin(started, summary.size)
    // Only now: an older copy may be the only one of the rows of the run that made it.
    await input.keepCopy?.()
    await sendRows(options, recorded, store, started, rowCounts, context).catch(afterSending)
    await store.end('complete', 0, io.now())
  }
  const expected = job.output.columns?.expected
  const scores = expected && new Scores(expected, job.models.map(bareText))
  const written = await writeOutput(files, store, answers, outputRows(open, checked), {
    format: job.output,
    scores,
    input,
    allowsCut: job.allowsCut,
    schema: job.schema?.answer,
    former,
    before: options.before,
    async onWritten({ digest, isChanged }) {
      if (!sends && !isChanged) return
      if (!sends) {
        store.begin(started, summary.size)
        await store.end('complete', 0, io.now())
      }
      await store.add({ output: digest })
    },
  }).catch((error: unknown) => {
    const kept = `${answeredText(rowCounts.succeeded, count, open.unit)}; to write the results: ${options.line}`
    throw error instanceof FailedError ? withAddedHint(error, kept) : sends ? afterSending(error) : error
  })
  const prices = sends && scores ? await catalog.availableModels() : catalog.cachedModels()
  await reportWritten(options, recorded, { ...written, scores: scores?.all(prices) }, rowCounts, sends, context)
}

/** Says what was written. @param sends Whether rows were sent. @throws ThresholdError for --pass, `RowCounts.failure` if rows failed. */
async function reportWritten(
  { open: { job, input, unit }, files, path, line }: FileRun,
  { checked }: Recorded,
  written: WrittenOutput & { readonly scores: readonly Score[] | undefined },
  rowCounts: RowCounts,
  sends: boolean,
  { notices, io }: JobContext,
): Promise<void> {
  const { done, failed, parts, lastError, isChanged, scores = [] } = written
  rowCounts.set(done, failed - checked.invalid, written.cutOff)
  const results = done > 0 ? `; results in ${path}` : ''
  const source = `${isChanged ? 'written from' : 'unchanged, from'} ${countText(done, 'recorded answer')}`
  const again = job.recorded.isOffline ? '' : '; --restart asks again'
  const rows = `${grouped(failed)} of ${countText(checked.count, unit)}`
  const failedText = `${rows} failed, the last one with: ${lastError}; see ${files.errors}`
  if (sends) await notices.info(`${rowCounts.summary(input.notes())}${results}`)
  else if (done > 0)
    await notices.info(`${[`${path}: ${source}`, ...input.notes()].join(' · ')}; nothing was sent${again}`)
  for (const score of scores) await notices.info(scoreText(score))
  if (scores.length > 0 && job.progress) {
    const state = { ...rowCounts.state, total: rowCounts.finished, inFlight: 0, waiting: undefined, scores }
    await writeText(io.err, stateJson(state, new Rate()), sanitizeJson)
  }
  const others = failed - checked.invalid - parts
  const { passMark = 0 } = job
  const best = scores.find(({ from }) => from === undefined)
  const isMissed = best && best.share < passMark && !(job.recorded.isOffline && others > 0)
  if (failed === 0) removeFile(files.spool)
  const passText = `--pass ${Number((100 * passMark).toFixed(4))}%`
  const rest = { hint: failed > 0 ? failedText : undefined }
  if (isMissed) throw new ThresholdError(`below ${passText}: ${scoreText(best)}`, rest)
  if (failed === 0) return
  const hint =
    job.recorded.isOffline && others > 0
      ? `to send ${others === 1 ? 'it' : 'them'}: ${line}`
      : sendAgainText(others, written, line)
  throw rowCounts.failure(failedText, others + parts > 0 ? hint : undefined)
}

/**
 * How to continue a run: the command line, or, if it cannot be shown whole, that it is the same.
 * @param argv As typed, after the program's name.
 * @param copy Of an input that can be read only once: its path, and the word that it takes the place of.
 */
function continueLine(argv: readonly string[], copy?: { spool: string; input: string | undefined }): string {
  const words = argv.filter((word) => word !== '--restart' && word !== '--offline')
  if (copy) {
    const at = copy.input === undefined ? -1 : words.indexOf(copy.input)
    words.splice(at === -1 ? words.length : at, 1, copy.spool)
  }
  const line = typedLine(['syn', ...words])
  // In place of several lines, or what looks like a key.
  if (!line.includes('…')) return line
  return `repeat the command${copy ? ` with ${copy.spool} as the input` : ''}`
}

/** How failed rows are sent again. @param others Those whose answers are not parts. @param line The same command. */
function sendAgainText(others: number, { parts, cutParts, emptyParts }: WrittenOutput, line: string): string {
  if (parts === 0) return `the same command sends only these again: ${line}`
  const longer =
    'with a higher token limit, as with --max-tokens or max_tokens of the row, the same command sends these again'
  const empty = `--retry-empty sends ${emptyParts === parts ? 'these' : 'the empty ones'} again`
  const texts = [cutParts > 0 && longer, emptyParts > 0 && empty, '--allow-cut takes them as they are']
  const text = others > 0 && `the same command sends the others again: ${line}`
  return [...texts, text].filter(Boolean).join('; ')
}

/** The model that an alias stands for, if the service says. */
async function targetOfAlias(model: Json, catalog: Catalog): Promise<string | undefined> {
  if (typeof model !== 'string' || !model.startsWith('syn:')) return undefined
  return (await catalog.modelsIfAvailable()).find(({ id }) => id === model)?.target
}

/** Once requests were sent, a wrong input is no usage error, which says that nothing was. @throws that instead. */
function afterSending(error: unknown): never {
  throw error instanceof UsageError ? new FailedError(error.message, { hint: error.hint, cause: error }) : error
}

/** Sends the rows that have no result. @throws what stops the run, when those in flight are recorded. */
async function sendRows(
  { open, signal, line }: FileRun,
  recorded: Recorded,
  store: AnswerStore,
  started: RunRecord,
  rowCounts: RowCounts,
  context: JobContext,
): Promise<void> {
  const { io, notices } = context
  const { checked, left, answered, summary } = recorded
  const { answers, usesQuota, count } = checked
  const { models } = open.job
  const total = rowCounts.finished + left
  const known = summary.run && !open.job.recorded.restarts ? `${answeredText(answered, count, open.unit)}; ` : ''
  const quota = usesQuota ? await quotaText(context) : undefined
  const toSend = [`${known}${countText(left, open.unit)} to send`, ...open.forecast.planned, quota ?? []].flat()
  await notices.info(toSend.join(' · '))

  /** The numbers of the rows that are sent, from 0, with the invalid ones. */
  const numbers = new Map<RowRequest, number>()
  async function* unsentRows(at: number): AsyncGenerator<readonly RowRequest[], void, undefined> {
    let next = at
    for await (const rows of readRows(open, checked, at)) {
      const unsent: RowRequest[] = []
      for (const row of rows) {
        const number = next
        next += models.length
        if ('error' in row || answers.offsetOf(number) !== undefined || !answers.isFirst(number)) continue
        numbers.set(row, number)
        unsent.push(row)
      }
      if (unsent.length > 0) yield unsent
    }
  }
  let isRestart = open.job.recorded.restarts && summary.size > 0
  const onResult = (request: RowRequest, result: RowResult): void => {
    // Only now: a run that gets no answer leaves the former ones.
    if (isRestart && !result.error) {
      // With the empty line.
      store.begin({ ...started, restart: store.size + 1 }, store.size)
      isRestart = false
    }
    const row = numbers.get(request) ?? -1
    const offset = store.append(row, request, result, pool.limit)
    if (open.job.recorded.dedupes) {
      const isLimited = result.part?.code === 'token_limit'
      answers.give(request.hash, row, offset, isLimited ? request.limit : undefined)
    }
    answers.setOffset(row, offset)
    numbers.delete(request)
    rowCounts.add(result)
  }
  let pool = await startPool(open, { usesQuota, signal, onResult }, context)
  let stopped: SynError | undefined
  try {
    const progress = { rowCounts, total, format: open.job.progress }
    for (const at of models.keys()) {
      if (at > 0) pool = await startPool(open, { usesQuota, signal, onResult }, context)
      await runPool(pool, unsentRows(at), progress, context).catch(async (error: unknown) => {
        const named = models.length > 1 ? errorOfModel(error, bareText(models[at] ?? '')) : undefined
        if (!named) throw error
        await notices.warn(named.message)
        stopped ??= named
      })
    }
    if (stopped) throw stopped
  } catch (error) {
    const end = error instanceof InterruptedError ? 'interrupted' : 'stopped'
    // If the store cannot be written, that is the error already.
    await store.end(end, pool.inFlight, io.now()).catch(() => undefined)
    if (error instanceof OtherRunError) throw error
    const isEnd = error instanceof ThresholdError || error === stopped
    const next = isEnd ? 'to write the results so far, add --offline' : `to continue: ${line}`
    const done = isRestart
      ? 'no new answer came: the former ones still count'
      : `${answeredText(rowCounts.succeeded, count, open.unit)}; ${next}`
    if (error instanceof SynError && !(error instanceof InterruptedError)) throw withAddedHint(error, done)
    await notices.summary(done)
    throw error
  }
}
