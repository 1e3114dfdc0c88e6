/** Follows the quota while requests are sent, and holds them back while it is used up. */

import type { RateLimitError } from '../../api/failures.ts'
import { exhaustedBlock } from '../../api/quota.ts'
import { maxSpread, quotaWait, usedUpText } from '../../api/retry-policy.ts'
import { QuotaError } from '../../errors.ts'
import type { Json } from '../../io/json/json.ts'

/** In milliseconds. */
const minute = 60_000
/** The longest wait that nobody asked for. */
const maxWait = 60 * minute
/** A refusal is a reason to read the quota again. */
const refusedReadInterval = 15_000

export interface QuotaHoldOptions {
  /** What to do when the quota is used up (default: wait if it renews within an hour). */
  readonly onLimit?: 'wait' | 'stop' | undefined
  /** Requests the quota record, in one attempt. `undefined` if no request of the run counts: embeddings. */
  readonly readQuota?: (() => Promise<Json>) | undefined
  /** In milliseconds: `now` for durations, as nobody sets it, `time` since 1970 for the times that the service names. */
  readonly clock: { now(): number; time(): number }
  /** From 0 to 1. */
  readonly random: () => number
}

interface Hold {
  readonly until: number
  /** The same by the clock of the service: the machine may sleep, and its clock may be set. */
  readonly untilTime: number
  /** Until it was shown. */
  notice: string | undefined
}

export class QuotaHold {
  readonly #options: QuotaHoldOptions
  readonly #onChange: () => void
  #hold: Hold | undefined
  /** `undefined` if it is unknown. */
  #renewal: number | undefined
  /** `Infinity` while the record is requested. */
  #lastRecord: number
  #readInterval = minute

  /** @param onChange Called after the hold has begun because of a record that was read. */
  constructor(options: QuotaHoldOptions, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
    this.#lastRecord = options.clock.now()
  }

  /** When the next request may be sent; `undefined` if it may now. */
  get until(): number | undefined {
    return this.#hold?.until
  }

  /** @returns whether a hold is over. */
  end(): boolean {
    const { clock } = this.#options
    if (!this.#hold || (clock.now() < this.#hold.until && clock.time() < this.#hold.untilTime)) return false
    this.#hold = undefined
    return true
  }

  /** Call for each reply. @param record In a header of it. */
  follow(record: Json | undefined): void {
    this.#update(record, this.#readInterval)
  }

  /** Call for each reply with status 429. */
  refuse({ quota, retryAfter = 0 }: RateLimitError): void {
    if (retryAfter > maxWait) this.#holdUntil(this.#options.clock.time() + retryAfter)
    this.#update(quota, refusedReadInterval)
  }

  /** The error that stops the run while requests are held back; `undefined` if it waits. */
  stopError(): QuotaError | undefined {
    const { onLimit, clock } = this.#options
    if (!this.#hold || onLimit === 'wait') return undefined
    const isSoon = this.#renewal !== undefined && this.#hold.until - clock.now() <= maxWait + maxSpread
    if (onLimit === undefined && isSoon) return undefined
    const hint = onLimit === undefined ? 'use --on-limit wait to wait for it' : undefined
    return new QuotaError(usedUpText(this.#renewal), { hint })
  }

  /** Says what is waited for, once. */
  takeNotice(): string | undefined {
    const notice = this.#hold?.notice
    if (this.#hold) this.#hold.notice = undefined
    return notice
  }

  #update(record: Json | undefined, interval: number): void {
    const { readQuota, clock } = this.#options
    if (!readQuota) return
    if (record !== undefined) this.#take(record)
    else if (clock.now() - this.#lastRecord >= interval) void this.#read(readQuota)
  }

  #take(record: Json): void {
    this.#lastRecord = this.#options.clock.now()
    const spent = exhaustedBlock(record)
    if (spent) this.#holdUntil(spent.renewal?.time)
  }

  /** @param renewal By the clock of the service. */
  #holdUntil(renewal: number | undefined): void {
    const { clock, random } = this.#options
    const [now, time] = [clock.now(), clock.time()]
    this.#renewal = renewal
    // Replies that arrive late repeat what is known.
    if (this.#hold && !(renewal !== undefined && renewal > Math.max(time, this.#hold.untilTime))) return
    const { length, text } = quotaWait(renewal, time, random())
    this.#hold = { until: now + length, untilTime: time + length, notice: text }
  }

  /** A failure is silent, and not repeated before a refusal: the next reply may tell. */
  async #read(readQuota: () => Promise<Json>): Promise<void> {
    this.#lastRecord = Infinity
    await readQuota()
      .then((record) => this.#take(record))
      .catch(() => (this.#readInterval = Infinity))
    this.#lastRecord = this.#options.clock.now()
    this.#onChange()
  }
}
