/** Makes the pool of a run, and says what is left of the quota before it starts. */

import { operations, type Sender } from '../../api/operations.ts'
import { subscriptionLeft } from '../../api/quota.ts'
import { isObject, type Json } from '../../io/json.ts'
import { durationText, relativeTime } from '../../io/time.ts'
import { realClock } from './clock.ts'
import type { Context, Job } from '../job.ts'
import { Pool, type PoolOptions, type Waiting } from './pool.ts'
import { countText } from '../counts.ts'
import { createSender } from './sender.ts'

/** @param usesQuota Whether any request counts against the quota. */
export async function startPool(
  job: Job,
  { usesQuota, ...given }: Pick<PoolOptions, 'onResult' | 'signal'> & { readonly usesQuota: boolean },
  { io, secrets, settings, notices, client, catalog }: Context,
): Promise<Pool> {
  const connected = await client.connected()
  const notify = (text: string): Promise<void> => notices.info(text)
  return new Pool({
    ...given,
    send: createSender({
      client: connected,
      catalog,
      secrets,
      schema: job.schema?.answer,
      fallback: job.fallback,
      allowsCut: job.allowsCut,
      notify,
      now: io.elapsed,
    }),
    notify,
    jobs: job.jobs,
    rpm: job.rpm,
    retries: settings.requestLimits().retries,
    maxErrors: job.maxErrors,
    onLimit: job.onLimit,
    readQuota: usesQuota ? () => readQuota(connected) : undefined,
    clock: realClock(io),
  })
}

async function readQuota(client: Sender): Promise<Json> {
  return (await client.send(operations.quota, undefined, { oneAttempt: true })).json
}

/** `489 requests left`; `undefined` if the service does not say. */
export async function quotaText({ client }: Pick<Context, 'client'>): Promise<string | undefined> {
  try {
    const record = await readQuota(client)
    const left = isObject(record) ? subscriptionLeft(record) : undefined
    return left && `${countText(Math.floor(left.left), 'request')} left`
  } catch {
    return undefined
  }
}

/** What a run waits for. */
export function waitingText(waiting: Waiting | undefined, now: number): string | undefined {
  if (!waiting) return undefined
  const { reason, until } = waiting
  if (reason === 'quota') return `quota used up, renews ${relativeTime(until, now)}`
  return `service unavailable, next try in ${durationText(Math.max(0, until - now))}`
}
