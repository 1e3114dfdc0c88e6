/**
 * The wait for a limit of the service: what is short, until when, and in which words. A batch asks for it while requests are in
 * flight; what waits alone sleeps in `waitForRenewal`. Durations are in milliseconds.
 */

import { minNamedWait, spread, usedUpText } from '../api/retry-policy.ts'
import type { QuotaBlock } from '../api/quota.ts'
import { hour, minute, second, timeText } from '../io/time/time.ts'

const longestNamed = 31 * 24 * hour

/** What is short. Times are in milliseconds since 1970, by the clock of the service. */
export interface Shortage {
  readonly block?: QuotaBlock | undefined
  /** `rollingFiveHourLimit is below 10%: 3.2 of 500 left` (default: the quota is used up). */
  readonly state?: string
  /** When something comes back; `undefined` if it is unknown. */
  readonly renewal: number | undefined
  /** When enough will be left, which may be an estimate (default: `renewal`). */
  readonly end?: number | undefined
}

export interface WaiterOptions {
  /** In milliseconds: `now` for durations, as nobody sets it, `time` since 1970 for the times that the service names. */
  readonly clock: { now(): number; time(): number }
  /** The longest wait since the last answer (default: any). */
  readonly maxWait?: number | undefined
  /** From 0 to 1. */
  readonly random: () => number
}

/**
 * `due` is when something comes back, or the start if that is unknown; `until` is when to look, and `untilTime` the same by the
 * clock of the service: the machine may sleep, and its clock may be set.
 */
interface Hold extends Shortage {
  readonly due: number
  readonly until: number
  readonly untilTime: number
  readonly isOverdue: boolean
}

export class Waiter {
  readonly #options: WaiterOptions
  /** `undefined` if nothing is short. */
  current: Hold | undefined
  /** When the first wait since the last answer began. */
  #since: number | undefined
  /** How often the limit had not come back when it said. */
  #misses = 0
  #left = Infinity
  #noticed: (Hold & { readonly at: number }) | undefined

  constructor(options: WaiterOptions) {
    this.#options = options
  }

  /** `the quota is used up; waiting until 2026-08-19 22:18 (in 2 h 13 min)` */
  get text(): string {
    const { state = usedUpText(), renewal, end = renewal, isOverdue = false } = this.current ?? { renewal: undefined }
    if (isOverdue) return `${state}, renewal overdue; checking at least every minute`
    if (end === undefined) return `${state}, renewal time unknown; checking every minute`
    return `${state}; waiting until ${end === renewal ? '' : 'about '}${timeText(end, this.#options.clock.time())}`
  }

  /** How long was waited since the last answer. */
  get waited(): number {
    return this.#since === undefined ? 0 : this.#options.clock.now() - this.#since
  }

  /** What is left of the longest wait. */
  get rest(): number {
    return Math.max(0, (this.#options.maxWait ?? Infinity) - this.waited)
  }

  /** Whether it is time to look whether the limit has come back. */
  get isOver(): boolean {
    const { clock } = this.#options
    return this.current !== undefined && (clock.now() >= this.current.until || clock.time() >= this.current.untilTime)
  }

  /** Begins a wait, or prolongs it. A limit that does not come back when it said is looked at after 1, 2, 4 … 60 s. */
  hold(shortage: Shortage): void {
    const { clock, random } = this.#options
    const [now, time] = [clock.now(), clock.time()]
    const { renewal, block } = shortage
    // Replies that arrive late repeat what is known.
    if (this.current && !(renewal !== undefined && renewal > Math.max(time, this.current.untilTime))) return
    const left = block?.remaining ?? block?.percentLeft ?? 0
    if (left > this.#left) this.#misses = 0
    this.#left = left
    const named = renewal === undefined ? 0 : renewal - time
    if (named < minNamedWait) this.#misses ||= 1
    const backoff = this.#misses === 0 ? 0 : Math.min(minute, second * 2 ** (this.#misses - 1))
    const isNamed = named >= Math.max(backoff, minNamedWait)
    const length = spread(isNamed ? named : renewal === undefined ? minute : backoff, random())
    const wait = isNamed ? length : Math.min(length, this.rest)
    const isOverdue = renewal !== undefined && !isNamed
    const due = isNamed ? now + named : now
    this.current = { ...shortage, due, until: now + wait, untilTime: time + wait, isOverdue }
  }

  /** Ends a wait: whether the limit has come back, an answer or the next record tells. */
  finish(): void {
    this.current = undefined
    this.#misses++
  }

  /** An answer came. */
  reset(): void {
    this.#since = undefined
    this.#misses = 0
  }

  /** Whether the wait is longer than it may be. @param isAlone Whether no request is in flight, which may be answered. */
  isTooLong(isAlone = true): boolean {
    const now = this.#options.clock.now()
    const since = isAlone ? (this.#since ??= now) : now
    return this.current !== undefined && this.current.due - since >= (this.#options.maxWait ?? Infinity)
  }

  /** `--max-wait 8h`: what would be long enough; `undefined` if that is unknown, or longer than a month. */
  get longEnough(): string | undefined {
    const { clock } = this.#options
    const { due = 0, end = 0 } = this.current ?? {}
    const needed = Math.max(due - clock.now(), end - clock.time())
    return needed > 0 && needed < longestNamed ? `--max-wait ${Math.ceil((this.waited + needed) / hour)}h` : undefined
  }

  /** What to say where nothing shows the wait: at its start, when that changes, and again after `repeat`. */
  takeNotice(repeat = Infinity): string | undefined {
    const [hold, last, at] = [this.current, this.#noticed, this.#options.clock.now()]
    if (!hold) return undefined
    const endOf = ({ renewal = 0, end = renewal }: Shortage): number => end
    const isSame =
      last?.block?.name === hold.block?.name &&
      last?.isOverdue === hold.isOverdue &&
      (hold.isOverdue || Math.abs(endOf(last) - endOf(hold)) < minute)
    if (last && isSame && at - last.at < repeat) return undefined
    this.#noticed = { ...hold, at }
    return this.text
  }
}
