/** How many requests may be in flight, and when: found out from what the service refuses, and from how long it takes. */

import { retryDelay } from '../../api/retry-policy.ts'

/** Bounds of the limit. Equal ones fix it. */
export interface Jobs {
  readonly min: number
  readonly max: number
  /** How many requests are sent at once when a run starts (default: 1, as a service may refuse a second one). */
  readonly start?: number
}

/** Two rounds with a median this many times the best one mean that requests wait for each other. */
const slowFactor = 2
/** What the service refused, it refuses again a little below that, too. */
const belowRefused = 0.97
/** A limit below one paces the requests: one in a hundred times the duration of an answer at least. */
const leastLimit = 0.01
/** Pauses between requests, as a part of those that keep the limit: they spread a burst, and the limit remains what counts. */
const paced = 0.6

/** In milliseconds: how long the limit stays below what was refused. Each time that it is refused again doubles it. */
const firstTrial = 120_000
const longestTrial = 3_600_000

/** So many rows that fail for the first time, one after the other, mean an outage: the service may fail on some each time. */
const minFailedRows = 8
/** In milliseconds: a longer outage ends the run. */
const patience = 600_000

/** How many requests are sent at once when a run starts. */
export function firstLimit({ min, max, start = 1 }: Jobs): number {
  return Math.min(max, Math.max(min, start))
}

/** A request in flight. */
export interface Sent {
  readonly at: number
  readonly round: number
  /** Whether it is one of those that fill the limit when a round starts. */
  readonly isFirst: boolean
  /** Whether the service may have refused it for the number of others: some were in flight, and the limit could be lower. */
  isSurplus: boolean
}

/** `probe`: the failure does not count against the row. `down`: the run stops if the row is out of retries; `lost`: at once. */
export type FaultVerdict = 'retry' | 'probe' | 'down' | 'lost'

/**
 * Doubles the limit each round until the service refuses a request or slows down; then a refusal halves it, and it grows by
 * the same step each round. A round ends when more than half of its first requests have ended: of those sent later, one that
 * is served could stand for many that hang. When all in flight are refused, or the service is down, requests probe it one at a
 * time, with growing pauses. Times are in milliseconds, from any clock.
 */
export class Controller {
  readonly #jobs: Jobs
  /** In fractions, so that small limits grow too. */
  #limit: number
  readonly #inFlight = new Set<Sent>()
  #isDoubling = true
  #meanDuration = 0
  #lastStart = -Infinity

  #round = 0
  #cutRound = 0
  #sent = 0
  #endedFirst = 0
  #suspects = 0
  /** Milliseconds to the first of each answer of this round. */
  #waits: number[] = []
  #wasFull = false
  #bestMedian = Infinity
  #slowRounds = 0

  /** The limit before the last cut, which is not tried again until then. */
  #refusedAt = Infinity
  #mayTryFrom = -Infinity
  #trialInterval = firstTrial

  /** Whether a request was refused since the last answer. */
  #isRefused = false
  /** Whether all in flight were refused, and none was answered since. */
  #isStorm = false
  #outageSince: number | undefined
  #failedRows = 0
  #wasAlive = false
  #probe: Sent | undefined
  #probes = 0
  #nextProbe = 0

  constructor(jobs: Jobs) {
    this.#jobs = jobs
    this.#limit = firstLimit(jobs)
  }

  get limit(): number {
    return Math.max(1, Math.floor(this.#limit))
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  get isOutage(): boolean {
    return this.#outageSince !== undefined
  }

  get isProbing(): boolean {
    return this.#isStorm || this.isOutage
  }

  /** @param others What takes a place besides the requests in flight. */
  isFull(others = 0): boolean {
    if (this.isProbing) return this.#probe !== undefined
    return this.inFlight + others >= this.limit || (this.#isRefused && this.inFlight > 0)
  }

  /** When the next request may be sent. */
  get nextStart(): number {
    if (this.isProbing) return this.#nextProbe
    const pause = (paced * this.#meanDuration) / this.#limit
    // Timers are not more exact.
    return this.#refusedAt === Infinity || pause < 2 ? this.#lastStart : this.#lastStart + pause
  }

  /** A request is sent. When it has ended, call one of the next five with it. */
  begin(now: number): Sent {
    this.#sent++
    this.#lastStart = now
    const isAboveMin = this.limit > this.#jobs.min
    const [other] = this.#inFlight
    if (other) other.isSurplus ||= isAboveMin
    const isFirst = this.#sent <= this.limit
    const sent = { at: now, round: this.#round, isFirst, isSurplus: isAboveMin && other !== undefined }
    this.#inFlight.add(sent)
    if (this.isProbing) this.#probe = sent
    this.#wasFull ||= this.inFlight >= this.limit
    return sent
  }

  /** @param wait Milliseconds to the first of the answer. @returns whether an outage is over. */
  succeed(sent: Sent, wait: number, now: number): boolean {
    const wasOutage = this.reply(sent)
    // What is still in flight when the next answer comes is what the service takes.
    if (this.#isRefused) this.#refusedAt = Math.min(this.#refusedAt, this.inFlight + 2)
    this.#isRefused = false
    const duration = now - sent.at
    this.#meanDuration += (duration - this.#meanDuration) * (this.#meanDuration === 0 ? 1 : 0.1)
    if (sent.round !== this.#round) return wasOutage
    this.#waits.push(wait)
    if (this.#endedFirst > this.limit / 2) this.#endRound(now)
    return wasOutage
  }

  /** The service failed, perhaps since too many were in flight: an eighth of the limit in one round is more than chance. */
  suspect(sent: Sent, row: { readonly refusals: number }, error: unknown, now: number, random: number): void {
    if (row.refusals === 0) this.#failedRows++
    // The service may fail on this row each time: only the first failure says something about the limit.
    if (row.refusals === 0 && sent.round >= this.#cutRound) this.#suspects++
    if (row.refusals > 0 || this.#suspects < this.#limit / 8) this.fail(sent)
    else this.#refuse(sent, false, error, now, random)
  }

  /** The rate limit refused it. @returns whether an outage is over. */
  refuse(sent: Sent, error: unknown, now: number, random: number): boolean {
    const isAgain = this.#isStorm && sent === this.#probe
    const wasOutage = this.reply(sent)
    this.#refuse(sent, isAgain, error, now, random)
    return wasOutage
  }

  /** The service replied. Those sent before an outage say nothing about its end. @returns whether an outage is over. */
  reply(sent: Sent): boolean {
    const [wasOutage, isProbe] = [this.isOutage, sent === this.#probe]
    this.fail(sent)
    if (wasOutage && !isProbe) return false
    this.#failedRows = 0
    this.#wasAlive = true
    this.#isStorm = false
    this.#outageSince = undefined
    if (wasOutage) this.restart()
    return wasOutage
  }

  /** A failure that says nothing about the service. */
  fail(sent: Sent): void {
    this.#inFlight.delete(sent)
    if (this.#probe === sent) this.#probe = undefined
    if (sent.isFirst && sent.round === this.#round) this.#endedFirst++
  }

  /** The service or the network failed. @param row `faults`: the failures that count against it. @param random From 0 to 1. */
  fault(sent: Sent, row: { readonly faults: number }, error: unknown, now: number, random: number): FaultVerdict {
    const wasProbe = sent === this.#probe
    this.fail(sent)
    if (row.faults === 0) this.#failedRows++
    if (!this.isOutage && this.#failedRows < minFailedRows) return 'retry'
    // A service that never replied is not down for a minute: its address or the network is wrong.
    if (!this.#wasAlive) return 'down'
    if (!this.isOutage) this.#probes = 0
    if (!this.isOutage || wasProbe)
      this.#nextProbe = now + Math.min(retryDelay(this.#probes++, error, random), patience)
    this.#outageSince ??= now
    return now - this.#outageSince < patience ? 'probe' : 'lost'
  }

  /** Starts small again, after a time without answers. */
  restart(): void {
    this.#isDoubling = true
    this.#slowRounds = 0
    this.#setLimit(Math.min(firstLimit(this.#jobs), this.#limit))
    this.#startRound()
  }
  /** @param isAgain Whether it was a probe in a storm. */
  #refuse(sent: Sent, isAgain: boolean, error: unknown, now: number, random: number): void {
    this.fail(sent)
    this.#isRefused = true
    if (this.inFlight === 0) {
      this.#isStorm = true
      if (!isAgain) this.#probes = 0
      this.#nextProbe = now + retryDelay(this.#probes++, error, random)
    }
    if (isAgain) {
      // Refused alone, after a pause: the number of requests is not the reason.
      this.#refusedAt = Infinity
      return this.restart()
    }
    // A request sent before the cut says nothing about the limit after it.
    if (sent.round < this.#cutRound) return
    this.#isDoubling = false
    const wasKnown = this.#limit > this.#refusedAt * 0.9
    this.#trialInterval = wasKnown ? Math.min(2 * this.#trialInterval, longestTrial) : firstTrial
    this.#refusedAt = this.#limit
    this.#mayTryFrom = now + this.#trialInterval
    this.#setLimit(this.#limit / 2)
    this.#startRound()
    this.#cutRound = this.#round
  }

  #endRound(now: number): void {
    const median = this.#waits.toSorted((one, other) => one - other)[Math.floor(this.#waits.length / 2)] ?? Infinity
    const isSlow = median > this.#bestMedian * slowFactor
    this.#bestMedian = Math.min(this.#bestMedian, median)
    this.#slowRounds = isSlow ? this.#slowRounds + 1 : 0
    if (this.#slowRounds > 1) this.#isDoubling = false
    if (this.#wasFull && !isSlow) this.#grow(now)
    this.#startRound()
  }

  #grow(now: number): void {
    const known = this.#refusedAt * belowRefused
    if (this.#isDoubling) this.#setLimit(2 * this.#limit)
    else if (this.#limit < known && known < Infinity) this.#setLimit(Math.min(this.#limit + known / 8, known))
    else if (now >= this.#mayTryFrom) this.#setLimit(this.#limit * 1.05)
  }

  #startRound(): void {
    this.#round++
    this.#sent = 0
    this.#endedFirst = 0
    this.#suspects = 0
    this.#waits = []
    this.#wasFull = this.inFlight >= this.limit
  }

  #setLimit(limit: number): void {
    const { min, max } = this.#jobs
    this.#limit = Math.min(max, Math.max(min > 1 ? min : leastLimit, limit))
  }
}
