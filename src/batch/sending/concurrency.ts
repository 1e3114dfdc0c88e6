/** How many requests may be in flight: found out from what the service refuses, and from how long it takes. */

/** Bounds of the limit. Equal ones fix it. */
export interface Jobs {
  readonly min: number
  readonly max: number
  /** How many requests are sent at once when a run starts (default: 1, as a service may refuse a second one). */
  readonly start?: number
}

/** A round with a median this many times the best one means that requests wait for each other. */
const slowFactor = 2
/** Rounds are small at first: a single slow one may be chance. */
const maxSlowRounds = 2

const cutFactor = 0.8
const growthFactor = 1.05
/** A service with a hard limit refuses nothing just below it. */
const belowRefused = 0.97

/** In milliseconds. */
const growthPause = 15_000
/** How long the limit stays below the refused level. Each time that it is refused again doubles it: it costs some throughput. */
const firstProbeInterval = 120_000
const maxProbeInterval = 3_600_000
/** Some services refuse what is too much after a minute or two. Growth waits so long for half of the requests of a round. */
const maxRound = 150_000
/** A refusal at a level lower than this share of the last one is news: the service has lowered its limit. */
const sameLevel = 0.9

/** How many requests are sent at once when a run starts. */
export function firstLimit({ min, max, start = 1 }: Jobs): number {
  return Math.min(max, Math.max(min, start))
}

/** A request in flight. */
export interface Sent {
  /** The number of the round in which it was sent. */
  readonly round: number
  /** Whether it is one of those that fill the limit when a round starts. */
  readonly isFirst: boolean
  /** Whether the limit could be lower. */
  readonly isAboveMin: boolean
  /** Whether another one was in flight at the same time. */
  hadCompany: boolean
}

/**
 * Doubles the limit each round until the service refuses a request or slows down, then probes carefully. A round ends when
 * more than half of its first requests have ended, as many as the limit allows: in the time of one request while the limit
 * doubles. Those sent later do not count, as one that is served could stand for many that hang. Times are in milliseconds,
 * from any clock.
 */
export class Concurrency {
  readonly #jobs: Jobs
  /** In fractions, so that small limits grow too. */
  #limit: number
  readonly #inFlight = new Set<Sent>()
  #isDoubling = true

  #round = 0
  #roundStart = Number.POSITIVE_INFINITY
  /** Requests sent in this round. */
  #sent = 0
  /** How many of the requests that filled the limit when this round started have ended. */
  #endedFirst = 0
  /** Failures in this round that may be refusals. */
  #suspects = 0
  /** Milliseconds to the first of each answer of this round. */
  #waits: number[] = []
  /** Whether as many were in flight in this round as allowed: else the limit was not tested. */
  #wasFull = false
  #bestMedian = Number.POSITIVE_INFINITY
  #slowRounds = 0

  /** Whether anything was answered since the last cut. */
  #hasAnswered = true
  /** The first round after the last cut. */
  #cutRound = 0
  #mayGrowFrom = Number.NEGATIVE_INFINITY
  /** The limit before the last cut. */
  #refusedAt = Number.POSITIVE_INFINITY
  /** Until then, the limit stays below that. */
  #mayProbeFrom = Number.NEGATIVE_INFINITY
  #probeInterval = firstProbeInterval

  constructor(jobs: Jobs) {
    this.#jobs = jobs
    this.#limit = firstLimit(jobs)
  }

  get limit(): number {
    return Math.floor(this.#limit)
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  get isFull(): boolean {
    return this.inFlight >= this.limit
  }

  /** A request is sent. When it has ended, call one of the next four with it. */
  begin(now: number): Sent {
    if (this.#sent++ === 0) this.#roundStart = now
    const [other] = this.#inFlight
    if (other) other.hadCompany = true
    const sent = {
      round: this.#round,
      isFirst: this.#sent <= this.limit,
      isAboveMin: this.limit > this.#jobs.min,
      hadCompany: other !== undefined,
    }
    this.#inFlight.add(sent)
    this.#wasFull ||= this.isFull
    return sent
  }

  /** @param wait Milliseconds to the first of the answer. */
  succeed(sent: Sent, wait: number, now: number): void {
    this.fail(sent)
    this.#hasAnswered = true
    if (sent.round !== this.#round) return
    this.#waits.push(wait)
    const isLong = now - this.#roundStart > maxRound && this.#waits.length > this.limit / 2
    if (this.#endedFirst > this.limit / 2 || isLong) this.#endRound(now)
  }

  /** The service failed, perhaps since too many were in flight: an eighth of the limit in one round is more than chance. */
  suspect(sent: Sent, now: number): void {
    if (sent.round >= this.#cutRound) this.#suspects++
    if (this.#suspects < this.#limit / 8) return this.fail(sent)
    const [oldest = sent] = this.#inFlight
    const isServed = this.#hasAnswered || oldest.round < this.#cutRound
    this.refuse(sent, undefined, now)
    // All of them fail: one after the other shows whether the service is down.
    if (!isServed) this.#setLimit(this.#jobs.min)
  }

  /** @param retryAfter In milliseconds, as asked for by the service. */
  refuse(sent: Sent, retryAfter: number | undefined, now: number): void {
    this.#inFlight.delete(sent)
    this.#mayGrowFrom = Math.max(this.#mayGrowFrom, now + Math.max(growthPause, retryAfter ?? 0))
    // A request sent before the cut says nothing about the limit after it.
    if (sent.round < this.#cutRound) return
    this.#isDoubling = false
    const wasKnown = this.#limit > this.#refusedAt * sameLevel
    this.#probeInterval = wasKnown ? Math.min(2 * this.#probeInterval, maxProbeInterval) : firstProbeInterval
    this.#refusedAt = this.#limit
    this.#mayProbeFrom = now + this.#probeInterval
    this.#setLimit(this.#limit * cutFactor)
    this.#hasAnswered = false
    this.#startRound()
    this.#cutRound = this.#round
  }

  /** A failure that says nothing about the limit. */
  fail(sent: Sent): void {
    this.#inFlight.delete(sent)
    if (sent.isFirst && sent.round === this.#round) this.#endedFirst++
  }

  /** Starts small again, after a time without answers. */
  restart(): void {
    this.#isDoubling = true
    this.#slowRounds = 0
    this.#setLimit(Math.min(firstLimit(this.#jobs), this.#limit))
    this.#startRound()
  }

  #endRound(now: number): void {
    const median = medianOf(this.#waits)
    const isSlow = median > this.#bestMedian * slowFactor
    const mayGrow = this.#wasFull && !isSlow && now >= this.#mayGrowFrom
    this.#bestMedian = Math.min(this.#bestMedian, median)
    this.#slowRounds = isSlow ? this.#slowRounds + 1 : 0
    if (this.#slowRounds >= maxSlowRounds) this.#isDoubling = false
    if (mayGrow) this.#grow(now)
    this.#startRound()
  }

  #grow(now: number): void {
    const ceiling = now >= this.#mayProbeFrom ? Number.POSITIVE_INFINITY : this.#refusedAt * belowRefused
    const grown = this.#limit * (this.#isDoubling ? 2 : growthFactor)
    this.#setLimit(Math.max(this.#limit, Math.min(grown, ceiling)))
  }

  #startRound(): void {
    this.#round++
    this.#sent = 0
    this.#endedFirst = 0
    this.#suspects = 0
    this.#waits = []
    this.#wasFull = this.isFull
  }

  #setLimit(limit: number): void {
    this.#limit = Math.min(this.#jobs.max, Math.max(this.#jobs.min, limit))
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY
}
