/** The retry rule: which failures are retried, how long to wait before, and when to give up. */

import { setTimeout as pause } from 'node:timers/promises'
import { errorMessage, NetworkError, StatusError, withAddedHint } from '../errors.ts'
import { localTime } from '../io/time.ts'
import type { Json } from '../io/json.ts'
import { exhaustedBlock } from './quota.ts'

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504, 524, 529])

/** In milliseconds. */
const firstWait = 500
const maxBackoff = 30_000

/** Whether the same request may succeed later. */
function isRetryable(error: unknown): boolean {
  if (error instanceof StatusError) return retryableStatuses.has(error.status)
  return error instanceof NetworkError && error.retryable
}

/**
 * How long to wait before the next attempt.
 * @param attempt Counts from 0.
 * @param random From 0 to 1: spreads the retries of clients that failed together.
 * @returns milliseconds.
 */
export function waitBefore(attempt: number, error: unknown, random: number): number {
  if (error instanceof StatusError && error.retryAfter !== undefined) return error.retryAfter
  return Math.min(firstWait * 2 ** attempt, maxBackoff) * (0.75 + random / 2)
}

export interface RetryOptions {
  readonly retries: number
  /** The longest Retry-After that is waited for, in milliseconds; 0: no limit. */
  readonly maxRetryAfter: number
  /** Aborts waiting. */
  readonly signal: AbortSignal
  /** Announces the next attempt. */
  notify(text: string): Promise<void>
  /** Requests the quota record; called at most once. */
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

  /** Waits before the next attempt. @throws the error if there is none. */
  async waitForNext(error: unknown): Promise<void> {
    const { retries, maxRetryAfter, signal, notify } = this.#options
    if (signal.aborted) throw signal.reason
    await this.#throwIfExhausted(error)
    if (this.#failed >= retries || !isRetryable(error)) throw error
    const wait = waitBefore(this.#failed, error, Math.random())
    const seconds = (wait / 1000).toFixed(1)
    if (maxRetryAfter > 0 && error instanceof StatusError && (error.retryAfter ?? 0) > maxRetryAfter) {
      const timeout = Math.ceil(wait / 1000)
      throw withAddedHint(error, `the service asks to wait ${timeout} s; use --timeout ${timeout} to wait that long`)
    }
    this.#failed++
    const reason = errorMessage(error)
    await notify(`${reason}; retrying in ${seconds} s (${this.#failed} of ${retries})`)
    try {
      await pause(wait, undefined, { signal })
    } catch {
      throw signal.reason as Error
    }
  }

  /** Without Retry-After, a 429 may mean that the quota is used up: a retry cannot help then. */
  async #throwIfExhausted(error: unknown): Promise<void> {
    const isRateLimit = error instanceof StatusError && error.status === 429 && error.retryAfter === undefined
    if (!isRateLimit || this.#hasReadQuota) return
    this.#hasReadQuota = true
    const spent = exhaustedBlock(await this.#options.readQuota().catch(() => null))
    if (!spent) return
    const time = spent.renewal?.time
    const when = time === undefined ? '' : `; it renews at ${localTime(time)}`
    throw new StatusError(error.message, { status: error.status, hint: `the quota is used up${when}` })
  }
}
