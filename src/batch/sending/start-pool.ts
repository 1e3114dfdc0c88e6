/** Makes the pool of a run and runs it, and says what is left of the quota before it starts. */

import { modelsInstead } from '../../answer/send.ts'
import type { InterruptedError } from '../../errors.ts'
import { quotaLeftText, readQuota } from '../../quota/record.ts'
import { startTimer } from '../../io/time/time.ts'
import { grouped } from '../../io/text/plural.ts'
import type { Job, JobContext, OpenJob } from '../job.ts'
import { type ProgressFormat, type RunState, showRunProgress } from '../progress.ts'
import type { RowRequest } from '../row.ts'
import type { RowCounts } from '../row-counts.ts'
import type { Jobs } from './controller.ts'
import { Pool, type PoolOptions } from './pool.ts'
import { createSender } from './sender.ts'

/** @param usesQuota Whether any request counts against the quota. */
export async function startPool(
  { job, forecast }: Pick<OpenJob, 'job' | 'forecast'>,
  { usesQuota, ...given }: Pick<PoolOptions, 'onResult' | 'signal'> & { readonly usesQuota: boolean },
  { io, secrets, settings, notices, client, catalog }: JobContext,
): Promise<Pool> {
  const connected = await client.connected()
  const notify = (text: string): Promise<void> => notices.info(text)
  const send = createSender({
    client: connected,
    catalog,
    secrets,
    schema: job.schema?.answer,
    fallback: job.fallback,
    allowsCut: job.allowsCut,
    retries: settings.requestLimits().retries,
    repairs: job.repairs,
    refusal: (request) => forecast.refusal(request),
    notify,
    now: io.elapsed,
  })
  return new Pool({
    ...given,
    ...job.pace,
    jobs: jobsOf(job, usesQuota),
    send: (request, asksAll) => forecast.send(request, send, asksAll),
    refusal: (request) => forecast.refusal(request),
    notify,
    retries: settings.requestLimits().retries,
    hasFallback: (row) => modelsInstead(job.fallback, row, catalog).length > 0,
    readQuota: usesQuota ? () => readQuota(connected, undefined, { oneAttempt: true }) : undefined,
    random: Math.random,
    clock: {
      now: io.elapsed,
      time: io.serviceClock.now,
      startTimer(delay, callback) {
        const timer = startTimer(delay, callback)
        return () => clearTimeout(timer)
      },
    },
  })
}

/** A service may take one request at a time, but embeddings, which are free. */
export function jobsOf({ pace: { jobs } }: Job, usesQuota: boolean): Jobs {
  return usesQuota ? jobs : { start: 4, ...jobs }
}

/** `489 of 500 requests left`; `undefined` if the service does not say. */
export async function quotaText({ client }: Pick<JobContext, 'client'>): Promise<string | undefined> {
  const record = await readQuota(client, undefined, { oneAttempt: true }).catch(() => undefined)
  return record && quotaLeftText(record)
}

/** Sends the rows, and shows how far the run is. At the first Ctrl-C, requests in flight may finish. @throws the interruption. */
export async function runPool(
  pool: Pool,
  rows: AsyncIterable<readonly RowRequest[]>,
  {
    rowCounts,
    total,
    format,
  }: Pick<RunState, 'total'> & { readonly rowCounts: RowCounts; readonly format: ProgressFormat },
  { io, notices }: Pick<JobContext, 'io' | 'notices'>,
): Promise<void> {
  const state = (): RunState => ({
    ...rowCounts.state,
    total,
    inFlight: pool.inFlight,
    waiting: pool.waiting,
    quotaLeft: pool.quotaLeft,
  })
  const stopProgress = showRunProgress(state, format, { io, notices })
  const interruptions: InterruptedError[] = []
  io.onFirstSignal((error) => {
    interruptions.push(error)
    pool.drain()
    if (pool.inFlight === 0) return
    const requests = pool.inFlight === 1 ? 'request in flight has' : `${grouped(pool.inFlight)} requests in flight have`
    const again = error.code === 130 ? 'Ctrl-C again' : 'another signal'
    void notices.info(`stopping when the ${requests} ended; ${again} stops at once`)
  })
  try {
    await pool.run(rows)
    const [interruption] = interruptions
    // The end of the input may not have been read yet.
    if (interruption && (total === undefined ? !pool.isDone : rowCounts.finished !== total)) throw interruption
  } finally {
    // From here on, a signal stops the run at once.
    io.onFirstSignal(undefined)
    rowCounts.quotaLeft = pool.quotaLeft
    // Its timer would keep the process running.
    await stopProgress()
  }
}
