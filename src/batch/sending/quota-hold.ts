/** Follows the quota while requests are sent, and holds them back while it is used up. */

import type { RateLimitError } from '../../api/failures.ts'
import { exhaustedBlock } from '../../api/quota.ts'
import { QuotaError } from '../../errors.ts'
import type { Json } from '../../io/json.ts'
import { localTime, timeText } from '../../io/time.ts'
import type { Clock } from './clock.ts'

/** What to do when the quota is used up. */
export type OnLimit = 'wait' | 'stop'

/** In milliseconds. */
const minute = 60_000
/** The longest wait that nobody asked for. */
const maxWait = 60 * minute
const readInterval = minute
/** A refusal is a reason to read the quota again. */
const refusedReadInterval = 15_000

/** Not all waiting runs should continue at the same moment. */
const maxSpread = 10_000
const spreadShare = 0.02

export interface QuotaHoldOptions {
  /** Without it, waits if the quota renews within an hour. */
  readonly onLimit: OnLimit | undefined
  /** Requests the record once. `undefined` if the requests of the run do not count. */
  readonly readQuota: (() => Promise<Json>) | undefined
  /** From 0 to 1. */
  readonly random: () => number
  readonly clock: Pick<Clock, 'now' | 'time'>
  /** Called after the hold has begun because of a record that was read. */
  readonly onChange: () => void
}

export class QuotaHold {
  readonly #options: QuotaHoldOptions
  #until: number | undefined
  /** The same by the clock of the service: the machine may sleep, and its clock may be set. */
  #untilTime = 0
  /** `undefined` if it is unknown. */
  #renewal: number | undefined
  #lastRecord: number
  #isReading = false
  #hasFailed = false

  constructor(options: QuotaHoldOptions) {
    this.#options = options
    this.#lastRecord = options.clock.now()
  }

  /** When the next request may be sent; `undefined` if it may now. */
  get until(): number | undefined {
    return this.#until
  }

  /** @returns whether a hold is over. */
  end(now: number): boolean {
    if (this.#until === undefined) return false
    if (now < this.#until && this.#options.clock.time() < this.#untilTime) return false
    this.#until = undefined
    return true
  }

  /** Call for each reply. @param record In a header of it. */
  follow(record: Json | undefined, now: number): void {
    if (!this.#options.readQuota) return
    if (record !== undefined) this.#take(record, now)
    else if (now - this.#lastRecord >= readInterval && !this.#hasFailed) void this.#read()
  }

  /** Call for each reply with status 429. */
  refuse({ quota, retryAfter = 0 }: RateLimitError, now: number): void {
    if (retryAfter > maxWait) this.#hold(this.#options.clock.time() + retryAfter, now)
    if (!this.#options.readQuota) return
    if (quota !== undefined) this.#take(quota, now)
    else if (now - this.#lastRecord >= refusedReadInterval) void this.#read()
  }

  /** The error that stops the run while requests are held back; `undefined` if it waits. */
  stopError(now: number): QuotaError | undefined {
    const { onLimit } = this.#options
    if (this.#until === undefined || onLimit === 'wait') return undefined
    const time = this.#renewal
    if (onLimit === undefined && time !== undefined && this.#until - now <= maxWait + maxSpread) return undefined
    const when = time === undefined ? '' : `; it renews at ${localTime(time)}`
    const hint = onLimit === undefined ? 'use --on-limit wait to wait for it' : undefined
    return new QuotaError(`the quota is used up${when}`, { hint })
  }

  /** Says what is waited for. */
  text(): string {
    const now = this.#options.clock.time()
    const time = this.#renewal
    if (time !== undefined && time > now) return `the quota is used up; waiting until ${timeText(time, now)}`
    return `the quota is used up, renewal ${time === undefined ? 'time unknown' : 'overdue'}; checking every minute`
  }

  #take(record: Json, now: number): void {
    this.#lastRecord = now
    const spent = exhaustedBlock(record)
    if (spent) this.#hold(spent.renewal?.time, now)
  }

  /** @param renewal By the clock of the service. */
  #hold(renewal: number | undefined, now: number): void {
    const { clock, random } = this.#options
    const time = clock.time()
    this.#renewal = renewal
    const isKnown = renewal !== undefined && renewal > time
    // Replies that arrive late repeat what is known.
    if (this.#until !== undefined && (!isKnown || this.#untilTime >= renewal)) return
    const wait = isKnown ? renewal - time : minute
    const length = wait + random() * Math.min(maxSpread, wait * spreadShare)
    this.#until = now + length
    this.#untilTime = time + length
  }

  /** A failure is silent: the next reply may tell. */
  async #read(): Promise<void> {
    const { readQuota, clock, onChange } = this.#options
    if (this.#isReading || !readQuota) return
    this.#isReading = true
    this.#lastRecord = clock.now()
    try {
      this.#take(await readQuota(), clock.now())
    } catch {
      this.#hasFailed = true
    }
    this.#isReading = false
    onChange()
  }
}
