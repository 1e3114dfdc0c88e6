/** Follows the quota while requests are sent, and holds them back while it is used up. */

import { RateLimitError } from '../../api/failures.ts'
import { exhaustedBlock } from '../../api/quota.ts'
import { renewalText, usedUpText } from '../../api/retry-policy.ts'
import { QuotaError, type StatusError } from '../../errors.ts'
import { isObject, type Json } from '../../io/json/json.ts'
import { hour, minute, relativeTime } from '../../io/time/time.ts'
import { quotaLeftText } from '../../quota/record.ts'
import { Waiter, type WaiterOptions } from '../../quota/waiter.ts'

/** A refusal is a reason to read the quota again. */
const refusedReadInterval = 15_000

/** `maxWait`: an hour by default, which nobody asked for. */
export interface QuotaHoldOptions extends WaiterOptions {
  /** What to do when the quota is used up (default: wait if it renews within an hour). */
  readonly onLimit?: 'wait' | 'stop' | undefined
  /** Requests the quota record, in one attempt. `undefined` if no request of the run counts: embeddings. */
  readonly readQuota?: (() => Promise<Json>) | undefined
}

export class QuotaHold {
  readonly #options: QuotaHoldOptions
  readonly #onChange: () => void
  readonly #waiter: Waiter
  /** `Infinity` while the record is requested. */
  #lastRecord: number
  #readInterval = minute
  /** The latest one. */
  #record: Json = null
  /** Whether it is being found out when something comes back. */
  #isChecking = false

  /** @param onChange Called after the hold has begun because of a record that was read. */
  constructor(options: QuotaHoldOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#waiter = new Waiter({ ...options, maxWait: options.maxWait ?? hour })
    this.#lastRecord = options.clock.now()
  }

  /** When the next request may be sent; `undefined` if it may now. */
  get until(): number | undefined {
    return this.#isChecking ? Infinity : this.#waiter.current?.until
  }

  /** What is waited for: `quota used up, renews in 43 s`. */
  get waiting(): string | undefined {
    if (this.#isChecking) return 'quota used up, asking when it renews'
    const { current } = this.#waiter
    const state = current?.state ?? 'quota used up'
    return current && `${state}, renews ${relativeTime(current.until, this.#options.clock.now())}`
  }

  /** What is left, in words; `undefined` if the service has not said. */
  get left(): string | undefined {
    return isObject(this.#record) ? quotaLeftText(this.#record) : undefined
  }

  /** @returns whether a hold is over. */
  end(): boolean {
    if (this.#isChecking || !this.#waiter.isOver) return false
    this.#waiter.finish()
    return true
  }

  /** Call for each reply. @param record In a header of it. */
  follow(record: Json | undefined): void {
    this.#waiter.reset()
    this.#update(record, this.#readInterval)
  }

  /** Call for each reply with status 429. */
  refuse({ quota, retryAfter = 0 }: RateLimitError): void {
    const renewal = this.#options.clock.time() + retryAfter
    if (retryAfter > hour) this.#waiter.hold({ state: 'the rate limit is reached', renewal })
    this.#update(quota, refusedReadInterval, true)
  }

  /**
   * Call for each reply that says that quota or credit is used up: holds the requests back until something comes back.
   * @param stop Called if the quota record does not say when.
   */
  async useUp(error: StatusError, stop: () => void): Promise<void> {
    if (this.#isChecking || this.#waiter.current) return
    const { readQuota } = this.#options
    this.#isChecking = true
    const sent = error instanceof RateLimitError ? error.quota : undefined
    const record = sent ?? (await readQuota?.().catch(() => null)) ?? null
    this.#isChecking = false
    if (exhaustedBlock(record, true)?.renewal?.time === undefined) return stop()
    this.#take(record, true)
    this.#onChange()
  }

  /** The error that stops the run while requests are held back; `undefined` if it waits. @param inFlight May be answered. */
  stopError(inFlight: number): QuotaError | undefined {
    const { onLimit } = this.#options
    if (this.#isChecking || !this.#waiter.current) return undefined
    const { renewal, state = usedUpText() } = this.#waiter.current
    const mayWait = onLimit === 'wait' || (onLimit === undefined && renewal !== undefined)
    if (mayWait && !this.#waiter.isTooLong(inFlight === 0)) return undefined
    const flag = mayWait ? this.#waiter.longEnough : '--on-limit wait'
    const hint = onLimit === 'stop' || flag === undefined ? undefined : `use ${flag} to wait for it`
    return new QuotaError(`${state}${renewalText(renewal)}`, { hint })
  }

  /** Says what is waited for, once. */
  takeNotice(): string | undefined {
    return this.#waiter.takeNotice()
  }

  #update(record: Json | undefined, interval: number, isRefused = false): void {
    const { readQuota, clock } = this.#options
    if (!readQuota) return
    if (record !== undefined) this.#take(record, isRefused)
    else if (clock.now() - this.#lastRecord >= interval) void this.#read(readQuota, isRefused)
  }

  /** @param isRefused Whether it was read since a request was refused. */
  #take(record: Json, isRefused: boolean): void {
    this.#record = record
    this.#lastRecord = this.#options.clock.now()
    const block = exhaustedBlock(record, isRefused)
    if (block) this.#waiter.hold({ block, renewal: block.renewal?.time })
  }

  /** A failure is silent, and not repeated before a refusal: the next reply may tell. */
  async #read(readQuota: () => Promise<Json>, isRefused: boolean): Promise<void> {
    this.#lastRecord = Infinity
    await readQuota()
      .then((record) => this.#take(record, isRefused))
      .catch(() => (this.#readInterval = Infinity))
    this.#lastRecord = this.#options.clock.now()
    this.#onChange()
  }
}
