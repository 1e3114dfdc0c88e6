/**
 * What a failure means, and how long to wait then: the same rules for a single request, a batch, and those who read the quota.
 * Times are in milliseconds; points in time, in milliseconds since 1970.
 */

import { CutShortError, NetworkError, StatusError, ThresholdError } from '../errors.ts'
import { localTime, second, timeText } from '../io/time/time.ts'

const firstWait = 500
const maxBackoff = 30 * second

/** A shorter wait that the service names is none: who takes it at its word floods the service. */
export const minNamedWait = 500

/** Spreads the requests of clients that wait for one renewal. */
const spreadShare = 0.02
const maxSpread = 10 * second

/** Other 5xx statuses describe the request, not the state of the service. */
const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504, 520, 524, 529])

/** A wrong key or base URL causes these, even for a request without a body. */
const permanentStatuses = new Set([401, 403, 404, 405])

/** Whether to retry a single request, whose user waits: not after a timeout, as the next may take as long. */
export function isRetryable(error: unknown): error is StatusError | NetworkError {
  if (error instanceof StatusError) return retryableStatuses.has(error.status) && !error.isPermanent
  return error instanceof NetworkError && error.retryable
}

/** Whether the service may have refused a request for the number of others in flight, as some do with these statuses. */
export function mayBeTooMany(error: unknown): boolean {
  return error instanceof StatusError && (error.status === 502 || error.status === 503) && !error.isPermanent
}

/** Whether another model may answer: the load of this one is the reason, not the account or the request. */
export function isOverloaded(error: StatusError): boolean {
  return [429, 502, 503, 529].includes(error.status) && !error.isPermanent && !error.isUsedUp
}

/** Whether to request the quota again later: without a body, the request has nothing to correct. */
export function isTransient(error: unknown): error is NetworkError | StatusError {
  return error instanceof NetworkError || (error instanceof StatusError && !permanentStatuses.has(error.status))
}

/**
 * What the failure of one of many requests means:
 * - `limit`: the rate limit or the quota refused it; it is sent again, however often.
 * - `credit`: the quota or the credit is used up, and every other request would fail too. It is sent again if the quota record
 *   says when something comes back.
 * - `service`: the service or the network failed. It is sent again, a few times: even what is unlikely to pass costs less
 *   than a row.
 * - `cost`: another model would cost more than may be spent.
 * - `request`: the request itself is at fault.
 * - `run`: every other request would fail too.
 */
export type Blame = 'cost' | 'limit' | 'credit' | 'service' | 'request' | 'run'

/** @param hasOwnModel Whether other requests have other models. */
export function blameFor(error: unknown, hasOwnModel: boolean): Blame {
  if (error instanceof NetworkError || error instanceof CutShortError) return 'service'
  if (!(error instanceof StatusError)) return error instanceof ThresholdError ? 'cost' : 'run'
  const { status, missing } = error
  if (error.isUsedUp) return 'credit'
  if (status === 429) return 'limit'
  if ((status >= 500 && !error.isPermanent) || status === 408 || status === 425) return 'service'
  const isOfModel = (status === 404 || missing === 'model') && !hasOwnModel
  const isOfRun = status === 401 || missing === 'endpoint' || isOfModel
  return isOfRun ? 'run' : 'request'
}

/**
 * How long to wait before the next attempt.
 * @param attempt Counts from 0.
 * @param random From 0 to 1: spreads the retries of clients that failed together.
 */
export function retryDelay(attempt: number, error: unknown, random: number): number {
  if (error instanceof StatusError && error.retryAfter !== undefined) return spread(error.retryAfter, random)
  return Math.min(firstWait * 2 ** attempt, maxBackoff) * (0.75 + random / 2)
}

/** A wait that the service names, a little longer. @param random From 0 to 1. */
export function spread(wait: number, random: number): number {
  return wait + random * Math.min(maxSpread, wait * spreadShare)
}

/** `; it renews at 2026-08-19 22:18`, with `now` also how long that is. @param renewal `undefined` if it is unknown. */
export function renewalText(renewal: number | undefined, now?: number): string {
  if (renewal === undefined) return ''
  return `; it renews at ${now === undefined ? localTime(renewal) : timeText(renewal, now)}`
}

/** For runs that do not wait. */
export function usedUpText(renewal?: number): string {
  return `the quota is used up${renewalText(renewal)}`
}
