/** The attempts at a single request: waits between them, and gives up, as `retry-policy.ts` says. */

import { NetworkError, StatusError, withAddedHint } from '../errors.ts'
import type { Io } from '../io/io.ts'
import { durationText, pauseFor, second } from '../io/time/time.ts'
import { isObject, type Json } from '../io/json/json.ts'
import { RateLimitError } from './failures.ts'
import type { SendOptions } from './operations.ts'
import { exhaustedBlock } from './quota.ts'
import { isRetryable, mayBeTooMany, usedUpText, retryDelay } from './retry-policy.ts'

/** The longest time to wait in all without --timeout. */
const defaultMaxWait = 3_600_000
/** A longer wait is not worth a hint how to wait for it. */
const maxHintedWait = 86_400_000

/** Adds to an error what the user may do: retry when the service asks, or leave it to a batch. */
function withAdvice(error: unknown, isAnswer: boolean): unknown {
  if (!(error instanceof StatusError)) return error
  if (error.retryAfter !== undefined) return withAddedHint(error, retryAfterText(error.retryAfter))
  return isAnswer && mayBeTooMany(error) ? withAddedHint(error, batchHint) : error
}

const batchHint = 'if syn batch is running, it may use all requests that the service takes at a time'

function retryAfterText(wait: number): string {
  return `the service asks to retry after ${durationText(wait)}`
}

interface RetryOptions extends SendOptions {
  readonly retries: number
  /** Whether an answer of a text model is requested: of these, a service may take few at a time. */
  readonly isAnswer: boolean
  readonly finalStatus: number | undefined
  /** The longest time to wait in all, in milliseconds; 0: an hour. */
  readonly maxWait: number
  readonly clocks: Pick<Io, 'elapsed' | 'now'>
  /** Aborts waiting. */
  readonly signal: AbortSignal
  /** Announces the next attempt. */
  notify(text: string): Promise<void>
  /** Requests the quota record; called at most once. `undefined` if that is the request itself. */
  readonly readQuota: (() => Promise<Json>) | undefined
}

export type Attempts = ReturnType<typeof startAttempts>

export function startAttempts(options: RetryOptions) {
  const { oneAttempt, retries, clocks, signal, notify, onWait, readQuota } = options
  const maxWait = options.maxWait || defaultMaxWait
  let failed = 0
  /** In milliseconds. */
  let waited = 0
  let requested: Promise<Json> | undefined

  /** Waits before the next attempt. @throws the error if there is none. */
  async function waitForNext(error: unknown): Promise<void> {
    if (oneAttempt) throw error
    if (signal.aborted) throw signal.reason
    await throwIfExhausted(error)
    const isFinal = error instanceof StatusError && error.status === options.finalStatus
    if (isFinal || !isRetryable(error) || failed >= retries) throw withAdvice(error, options.isAnswer)
    const delay = retryDelay(failed, error, Math.random())
    // Without the jitter, so that the time in the hint is enough.
    const wait = (error instanceof StatusError ? error.retryAfter : undefined) ?? delay
    if (waited + wait > maxWait) throw withAddedHint(error, tooLongText(error, wait))
    waited += wait
    failed++
    await notify(`${error.message}; retrying in ${durationText(wait)} (${failed} of ${retries})`)
    await pauseFor(delay, { ...clocks, signal }, onWait)
    onWait?.()
  }

  function tooLongText(error: StatusError | NetworkError, wait: number): string {
    if (!(error instanceof StatusError) || error.retryAfter === undefined) {
      return `retries wait at most ${durationText(maxWait)} in all; use --timeout SECONDS to wait longer`
    }
    const asked = retryAfterText(wait)
    return wait > maxHintedWait
      ? asked
      : `${asked}; use --timeout ${Math.ceil((waited + wait) / second)} to wait that long`
  }

  /** Without Retry-After, a 429 may mean that the quota is used up: a retry cannot help then. */
  async function throwIfExhausted(error: unknown): Promise<void> {
    if (!(error instanceof RateLimitError) || error.retryAfter !== undefined || error.isPermanent) return
    const record = error.quota ?? (await (requested ??= readQuota?.().catch(() => null)))
    const spent = exhaustedBlock(record ?? null, true)
    if (!spent || !isObject(record)) return
    throw new RateLimitError(error.message, { ...error, hint: usedUpText(spent.renewal?.time), isUsedUp: true }, record)
  }

  return { signal, waitForNext }
}
