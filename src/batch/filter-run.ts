/** A run without `--output`: a filter, with one line on standard output for each row, in order. Nothing is kept. */

import { defer } from '../io/defer.ts'
import { onOneLine } from '../io/files/files.ts'
import { exactJson } from '../io/json/exact-numbers.ts'
import { writeText } from '../io/io.ts'
import type { InputItem } from '../input/records.ts'
import { RepeatedIdError } from './input/custom-id.ts'
import { checkRows, idsToCheck, rowOf } from './requests/checked-rows.ts'
import { OrderedWriter, type QueuedText } from './output/ordered-writer.ts'
import { type Job, type JobContext, openJob, type OpenJob } from './job.ts'
import { createPrinter, type OutputRow } from './output/printer.ts'
import { countText, grouped } from '../io/text/plural.ts'
import type { RowRequest, RowResult } from './row.ts'
import { runPool, startPool } from './sending/start-pool.ts'
import { RowCounts } from './row-counts.ts'

/** @throws UsageError for a row that is invalid, before anything is sent; what stops the run; `RowCounts.failure` if rows failed. */
export async function runAsFilter(job: Job, context: JobContext): Promise<void> {
  const reading = new AbortController()
  // An open pipe would keep the process alive.
  using _reading = defer(() => reading.abort())
  const { io } = context
  const signal = AbortSignal.any([io.signal, reading.signal])
  using open = await openJob(job, { ...context, io: { ...io, signal } })
  await run(open, context)
}

async function run(open: OpenJob, context: JobContext): Promise<void> {
  const { job } = open
  const { io, notices } = context
  const { where, isRepeatable } = open.input
  // A pipe can be read only once: its rows are checked as they come.
  const checked = isRepeatable ? await checkRows(open, false, notices) : undefined
  await context.client.connected()
  const { forecast } = open
  const toSend = checked && checked.count - checked.invalid
  forecast.begin(await context.catalog.availableModels(), toSend ?? 0, undefined, job)
  if (toSend !== undefined) await notices.info([`${countText(toSend, 'row')} to send`, ...forecast.planned].join(' · '))
  const ids = idsToCheck(open, checked)
  const printer = await createPrinter(job.output, open.input)
  const rowCounts = new RowCounts(io.elapsed, forecast)
  const writer = new OrderedWriter((text) => writeText(io.out, text))
  /** The outputs of the rows that were sent. */
  const queue = new Map<RowRequest, QueuedText>()
  /** Whether there was no row so far, whether any was sent, and whether all were read. */
  let [isEmpty, hasSent, hasAll] = [true, false, false]

  const put = (queued: QueuedText, row: OutputRow, result: Pick<RowResult, 'response' | 'error'>): void =>
    writer.put(queued, `${printer.head(row)}${printer.tail([exactJson(result).slice(1, -1)], row)}\n`)

  /** @returns `undefined` for what is not sent; its line is printed. */
  async function requestOf(item: InputItem): Promise<RowRequest | undefined> {
    const queued = writer.reserve()
    if ('isBlank' in item) {
      writer.put(queued, '\n')
      return undefined
    }
    isEmpty = false
    const row = await rowOf(item, open, ids)
    if (!('error' in row)) {
      hasSent = true
      queue.set(row, queued)
      return row
    }
    if (!job.skipsInvalid && (!hasSent || row.cause instanceof RepeatedIdError)) throw row.cause
    rowCounts.add({ error: row.error, isCutOff: false })
    await notices.warn(row.cause.message)
    put(queued, row, { response: null, error: row.error })
    return undefined
  }

  async function* read(): AsyncGenerator<readonly RowRequest[], void, undefined> {
    let hasHeader = false
    const printHeader = (): void => {
      if (!hasHeader) writer.put(writer.reserve(), printer.header())
      hasHeader = true
    }
    for await (const items of open.input.read()) {
      printHeader()
      let requests: RowRequest[] = []
      for (const item of items) {
        if (!writer.hasRoom) {
          // Nothing else is needed to make room than the results of rows that were yielded.
          if (requests.length > 0) yield requests
          requests = []
          await writer.room()
        }
        try {
          const request = await requestOf(item)
          if (request) requests.push(request)
        } catch (error) {
          // The rows before it are sent.
          if (requests.length > 0) yield requests
          throw error
        }
      }
      if (requests.length > 0) yield requests
    }
    printHeader()
    hasAll = true
  }

  /** Prints the result of a row when its turn comes. Resolves when it is written, if it is its turn. */
  async function onResult(request: RowRequest, result: RowResult): Promise<void> {
    rowCounts.add(result)
    const { response, error } = result
    const name = open.idKey === 'path' ? onOneLine(request.customId) : `${where}, line ${request.record.line}`
    if (error) await notices.warn(`${name}: ${error.message}`)
    const queued = queue.get(request)
    queue.delete(request)
    if (queued) put(queued, request, { response: error && !printer.isWhole ? null : response, error })
    await writer.flush()
  }

  /** Prints what waits behind a row that has no result, when no more come: an answer that arrived is not lost. */
  function printWaiting(): void {
    const error = { code: 'stopped', message: 'the run ended before this row had a result' }
    for (const [request, queued] of queue) {
      if (!writer.isAwaited(queued)) continue
      rowCounts.add({ error, isCutOff: false })
      put(queued, request, { response: null, error })
    }
  }

  const pool = await startPool(open, { usesQuota: checked?.usesQuota ?? true, signal: io.signal, onResult }, context)
  // On a terminal, the output shows it.
  const format = job.progress ?? (io.out.isTerminal ? 'none' : undefined)
  try {
    await runPool(pool, read(), { rowCounts, total: checked?.count, format }, context)
  } finally {
    try {
      printWaiting()
      await writer.flush()
    } finally {
      if (isEmpty && hasAll) await notices.warn([`${where} has no rows`, ...open.input.notes()].join(' · '))
      else await notices.info(rowCounts.summary(open.input.notes()))
    }
  }
  if (rowCounts.failed > 0)
    throw rowCounts.failure(`${grouped(rowCounts.failed)} of ${countText(rowCounts.finished, 'row')} failed`)
}
