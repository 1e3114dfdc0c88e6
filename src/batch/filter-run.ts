/** A run without `--output`: a filter, with one line on standard output for each row, in order. Nothing is kept. */

import { exactJson } from '../io/json/json.ts'
import { writeText } from '../io/io.ts'
import type { InputItem } from '../input/records.ts'
import { type CustomIds, RepeatedIdError } from './input/custom-id.ts'
import { checkRows, idsToCheck, rowOf } from './requests/checked-rows.ts'
import { OrderedWriter, type Place } from './output/in-order.ts'
import { type Job, type JobContext, openJob, type OpenJob } from './job.ts'
import { createPrinter, type OutputRow, type ResultPrinter } from './output/printer.ts'
import { countText, grouped } from '../io/text/plural.ts'
import type { RowRequest, RowResult } from './row.ts'
import { runPool, startPool } from './sending/start-pool.ts'
import { Tally } from './tally.ts'

/** @throws UsageError for a row that is invalid, before anything is sent; what stops the run; `Tally.failure` if rows failed. */
export async function runAsFilter(job: Job, context: JobContext): Promise<void> {
  const reading = new AbortController()
  const { io } = context
  const open = await openJob(job, { ...context, io: { ...io, signal: AbortSignal.any([io.signal, reading.signal]) } })
  try {
    await run(job, open, context)
  } finally {
    open.input.close()
    // An open pipe would keep the process alive.
    reading.abort()
  }
}

async function run(job: Job, open: OpenJob, context: JobContext): Promise<void> {
  const { io, notices } = context
  // A pipe can be read only once: its rows are checked as they come.
  const checked = open.input.isRepeatable
    ? await checkRows(open, { skipsInvalid: job.skipsInvalid, keepsHashes: false, keep: job.input.columns }, notices)
    : undefined
  const printer = await createPrinter(job.output, open.input)
  const tally = new Tally(io.elapsed)
  const rows = new FilterRows({ job, open, ids: idsToCheck(open, checked), printer, tally, context })
  const onResult = async (request: RowRequest, result: RowResult): Promise<void> => {
    tally.add(result)
    const { error } = result
    if (error) await notices.warn(`${open.input.where}, line ${request.record.line}: ${error.message}`)
    await rows.finish(request, result)
  }
  const pool = await startPool(job, { usesQuota: checked?.usesQuota ?? true, signal: io.signal, onResult }, context)
  // On a terminal, the output shows it.
  const format = job.progress ?? (io.out.isTerminal ? 'none' : undefined)
  try {
    const progress = { tally, total: checked?.count, format, isComplete: () => rows.isComplete } as const
    await runPool(pool, rows.read(), progress, context)
  } finally {
    try {
      rows.printWaiting()
      await rows.flush()
    } finally {
      if (rows.isEmpty && rows.isComplete) await notices.warn(`${open.input.where} has no rows`)
      else await notices.info(tally.summary())
    }
  }
  if (tally.failed > 0) throw tally.failure(`${grouped(tally.failed)} of ${countText(tally.finished, 'row')} failed`)
}

interface FilterRun {
  readonly job: Job
  readonly open: OpenJob
  /** Of the rows before, unless all rows are valid. */
  readonly ids: CustomIds | undefined
  readonly printer: ResultPrinter
  readonly tally: Tally
  readonly context: JobContext
}

/** Reads rows, and prints their results in the same order. */
class FilterRows {
  readonly #run: FilterRun
  readonly #writer: OrderedWriter
  /** The places of the rows that were sent. */
  readonly #places = new Map<RowRequest, Place>()
  /** Whether all rows were read. */
  isComplete = false
  /** Whether there was none so far. */
  isEmpty = true

  constructor(run: FilterRun) {
    this.#run = run
    this.#writer = new OrderedWriter((text) => writeText(run.context.io.out, text))
  }

  async *read(): AsyncGenerator<readonly RowRequest[], void, undefined> {
    let [hasSent, hasHeader] = [false, false]
    const printHeader = (): void => {
      if (!hasHeader) this.#writer.put(this.#writer.reserve(), this.#run.printer.header())
      hasHeader = true
    }
    for await (const items of this.#run.open.input.read()) {
      printHeader()
      let requests: RowRequest[] = []
      for (const item of items) {
        if (!this.#writer.hasRoom) {
          // Nothing else is needed to make room than the results of rows that were yielded.
          if (requests.length > 0) yield requests
          requests = []
          await this.#writer.room()
        }
        try {
          const request = await this.#request(item, hasSent)
          if (!request) continue
          requests.push(request)
          hasSent = true
        } catch (error) {
          // The rows before it are sent.
          if (requests.length > 0) yield requests
          throw error
        }
      }
      if (requests.length > 0) yield requests
    }
    printHeader()
    this.isComplete = true
  }

  /** Prints the result of a row when its turn comes. Resolves when it is written, if it is its turn. */
  async finish(request: RowRequest, { response, error }: RowResult): Promise<void> {
    const place = this.#places.get(request)
    this.#places.delete(request)
    if (place) this.#put(place, request, { response: error && !this.#run.printer.isWhole ? null : response, error })
    await this.#writer.flush()
  }

  /** Prints what waits behind a row that has no result, when no more come: an answer that arrived is not lost. */
  printWaiting(): void {
    const error = { code: 'stopped', message: 'the run ended before this row had a result' }
    for (const [request, place] of this.#places) {
      if (this.#writer.isAwaited(place)) this.#put(place, request, { response: null, error })
    }
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** @returns `undefined` for what is not sent; its line is printed. */
  async #request(item: InputItem, hasSent: boolean): Promise<RowRequest | undefined> {
    const { job, open, ids, tally, context } = this.#run
    const place = this.#writer.reserve()
    if ('isBlank' in item) {
      this.#writer.put(place, '\n')
      return undefined
    }
    this.isEmpty = false
    const row = await rowOf(item, open, ids)
    if (!('error' in row)) {
      this.#places.set(row, place)
      return row
    }
    if (!job.skipsInvalid && (!hasSent || row.cause instanceof RepeatedIdError)) throw row.cause
    tally.add({ error: row.error, isCutOff: false })
    await context.notices.warn(row.cause.message)
    this.#put(place, row, { response: null, error: row.error })
    return undefined
  }

  #put(place: Place, row: OutputRow, result: Pick<RowResult, 'response' | 'error'>): void {
    const { printer } = this.#run
    this.#writer.put(place, `${printer.head(row)}${printer.tail(exactJson(result).slice(1, -1))}\n`)
  }
}
