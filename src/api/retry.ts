/** The retry rule: which failures are worth another attempt, how long to wait before it, and when to give up. */

import { setTimeout as pause } from 'node:timers/promises'
import { errorMessage, NetworkError, StatusError, withAddedHint } from '../errors.ts'
import { localTime } from '../io/time.ts'
import type { Json } from '../io/json.ts'
import { exhaustedBlock } from './quota.ts'

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504, 524, 529])

/** In milliseconds. */
const firstWait = 500
const longestBackoff = 30_000

/** Whether a failure may pass when the same request is sent again. */
function isRetryable(error: unknown): boolean {
  if (error instanceof StatusError) return retryableStatuses.has(error.status)
  return error instanceof NetworkError && error.retryable
}

/**
 * How long to wait before the next attempt.
 * @param attempt Counts from 0.
 * @param random From 0 to 1: spreads clients that failed together.
 * @returns milliseconds.
 */
export function waitBefore(attempt: number, error: unknown, random: number): number {
  if (error instanceof StatusError && error.retryAfter !== undefined) return error.retryAfter
  return Math.min(firstWait * 2 ** attempt, longestBackoff) * (0.75 + random / 2)
}

export interface RetryOptions {
  /** How often to try again. */
  readonly retries: number
  /** The longest wait that the service may ask for, in milliseconds; 0 for any. */
  readonly longestRetryAfter: number
  /** Ends the attempts. */
  readonly signal: AbortSignal
  /** Announces the next attempt. */
  notify(text: string): Promise<void>
  /** The quota record, asked for once. */
  readQuota(): Promise<Json>
}

/** The attempts at one request. */
export class Attempts {
  readonly signal: AbortSignal
  readonly #options: RetryOptions
  #failed = 0
  #hasReadQuota = false

  constructor(options: RetryOptions) {
    this.#options = options
    this.signal = options.signal
  }

  /** Waits until the next attempt may be made, or throws the failure that makes it pointless. */
  async waitForNext(error: unknown): Promise<void> {
    const { retries, longestRetryAfter, signal, notify } = this.#options
    if (signal.aborted) throw signal.reason
    await this.#throwIfExhausted(error)
    if (this.#failed >= retries || !isRetryable(error)) throw error
    const wait = waitBefore(this.#failed, error, Math.random())
    const seconds = (wait / 1000).toFixed(1)
    if (longestRetryAfter > 0 && error instanceof StatusError && (error.retryAfter ?? 0) > longestRetryAfter) {
      throw withAddedHint(error, `the service asks to wait ${seconds} s, which is longer than --timeout`)
    }
    this.#failed++
    const reason = errorMessage(error)
    await notify(`${reason}; trying again in ${seconds} s (${this.#failed} of ${retries})`)
    try {
      await pause(wait, undefined, { signal })
    } catch {
      throw signal.reason as Error
    }
  }

  /** Without a Retry-After, 429 means a spent limit as often as a crowd: the quota record tells them apart. */
  async #throwIfExhausted(error: unknown): Promise<void> {
    const isRateLimit = error instanceof StatusError && error.status === 429 && error.retryAfter === undefined
    if (!isRateLimit || this.#hasReadQuota) return
    this.#hasReadQuota = true
    const spent = exhaustedBlock(await this.#options.readQuota().catch(() => null))
    if (!spent) return
    const time = spent.renewal?.time
    const when = time === undefined ? '' : `; it renews ${localTime(time)}`
    throw new StatusError(error.message, { status: error.status, hint: `the quota is used up${when}` })
  }
}
