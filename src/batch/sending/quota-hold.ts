/** Follows the quota while requests are sent, and holds them back while it is used up. */

import { RateLimitError } from '../../api/failures.ts'
import { exhaustedBlock } from '../../api/quota.ts'
import { maxSpread, quotaWaitLength, usedUpText } from '../../api/retry-policy.ts'
import { QuotaError, type StatusError } from '../../errors.ts'
import { isObject, type Json } from '../../io/json/json.ts'
import { relativeTime } from '../../io/time/time.ts'
import { quotaLeftText } from '../../quota/record.ts'

/** In milliseconds. */
const minute = 60_000
const hour = 60 * minute
/** A refusal is a reason to read the quota again. */
const refusedReadInterval = 15_000

export interface QuotaHoldOptions {
  /** What to do when the quota is used up (default: wait if it renews within an hour). */
  readonly onLimit?: 'wait' | 'stop' | undefined
  /** The longest wait since the last answer, in milliseconds (default: an hour, which nobody asked for). */
  readonly maxWait?: number | undefined
  /** Requests the quota record, in one attempt. `undefined` if no request of the run counts: embeddings. */
  readonly readQuota?: (() => Promise<Json>) | undefined
  /** In milliseconds: `now` for durations, as nobody sets it, `time` since 1970 for the times that the service names. */
  readonly clock: { now(): number; time(): number }
  /** From 0 to 1. */
  readonly random: () => number
}

export class QuotaHold {
  readonly #options: QuotaHoldOptions
  readonly #onChange: () => void
  /** `untilTime` is by the clock of the service: the machine may sleep, and its clock may be set. `notice`: until it was shown. */
  #hold: { readonly until: number; readonly untilTime: number; notice: string | undefined } | undefined
  /** `undefined` if it is unknown. */
  #renewal: number | undefined
  /** `Infinity` while the record is requested. */
  #lastRecord: number
  #readInterval = minute
  /** When requests were first held back after the last answer. */
  #since: number | undefined
  /** The latest one. */
  #record: Json = null
  /** Whether it is being found out when something comes back. */
  #isChecking = false

  /** @param onChange Called after the hold has begun because of a record that was read. */
  constructor(options: QuotaHoldOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#lastRecord = options.clock.now()
  }

  /** When the next request may be sent; `undefined` if it may now. */
  get until(): number | undefined {
    return this.#isChecking ? Infinity : this.#hold?.until
  }

  /** What is waited for: `quota used up, renews in 43 s`. */
  get waiting(): string | undefined {
    if (this.#isChecking) return 'quota used up, asking when it renews'
    return this.#hold && `quota used up, renews ${relativeTime(this.#hold.until, this.#options.clock.now())}`
  }

  /** What is left, in words; `undefined` if the service has not said. */
  get left(): string | undefined {
    return isObject(this.#record) ? quotaLeftText(this.#record) : undefined
  }

  /** @returns whether a hold is over. */
  end(): boolean {
    const { clock } = this.#options
    if (this.#isChecking || !this.#hold || (clock.now() < this.#hold.until && clock.time() < this.#hold.untilTime))
      return false
    this.#hold = undefined
    return true
  }

  /** Call for each reply. @param record In a header of it. */
  follow(record: Json | undefined): void {
    this.#since = undefined
    this.#update(record, this.#readInterval)
  }

  /** Call for each reply with status 429. */
  refuse({ quota, retryAfter = 0 }: RateLimitError): void {
    if (retryAfter > hour) this.#holdUntil(this.#options.clock.time() + retryAfter)
    this.#update(quota, refusedReadInterval, true)
  }

  /**
   * Call for each reply that says that quota or credit is used up: holds the requests back until something comes back.
   * @param stop Called if the quota record does not say when.
   */
  async useUp(error: StatusError, stop: () => void): Promise<void> {
    if (this.#isChecking || this.#hold) return
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
    const { onLimit, clock, maxWait = hour } = this.#options
    if (this.#isChecking || !this.#hold) return undefined
    const wait = this.#hold.until - (inFlight > 0 ? clock.now() : (this.#since ??= clock.now()))
    const mayWait = onLimit === 'wait' || (onLimit === undefined && this.#renewal !== undefined)
    if (mayWait && wait <= maxWait + maxSpread) return undefined
    const flag = mayWait ? `--max-wait ${Math.ceil(wait / hour)}h` : '--on-limit wait'
    const hint = onLimit === 'stop' ? undefined : `use ${flag} to wait for it`
    return new QuotaError(usedUpText(this.#renewal), { hint })
  }

  /** Says what is waited for, once. */
  takeNotice(): string | undefined {
    const notice = this.#hold?.notice
    if (this.#hold) this.#hold.notice = undefined
    return notice
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
    const spent = exhaustedBlock(record, isRefused)
    if (spent) this.#holdUntil(spent.renewal?.time)
  }

  /** @param renewal By the clock of the service. */
  #holdUntil(renewal: number | undefined): void {
    const { clock, random } = this.#options
    const [now, time] = [clock.now(), clock.time()]
    this.#renewal = renewal
    // Replies that arrive late repeat what is known.
    if (this.#hold && !(renewal !== undefined && renewal > Math.max(time, this.#hold.untilTime))) return
    const { length, text } = quotaWaitLength(renewal, time, random())
    this.#hold = { until: now + length, untilTime: time + length, notice: text }
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
