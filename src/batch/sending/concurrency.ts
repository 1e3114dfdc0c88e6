/** How many requests may be in flight: found out from what the service refuses, and from how long it takes. */

/** Bounds of the limit. Equal ones fix it. */
export interface Jobs {
  readonly min: number
  readonly max: number
}

const start = 4

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
const maxProbeInterval = 480_000
/** A refusal at a level lower than this share of the last one is news: the service has lowered its limit. */
const sameLevel = 0.9

/** How many requests are sent at once when a run starts. */
export function firstLimit({ min, max }: Jobs): number {
  return Math.min(max, Math.max(min, start))
}

/** The number of the round in which a request was sent. */
export type Round = number

/**
 * Doubles the limit each round until the service refuses a request or slows down, then probes carefully. A round ends with
 * answers to half as many of its own requests as the limit allows: in the time of one request while the limit doubles.
 * Times are in milliseconds, from any clock.
 */
export class Concurrency {
  readonly #jobs: Jobs
  /** In fractions, so that small limits grow too. */
  #limit: number
  #inFlight = 0
  #isDoubling = true

  #round: Round = 0
  /** Milliseconds to the first of each answer of this round. */
  #waits: number[] = []
  /** Whether as many were in flight in this round as allowed: else the limit was not tested. */
  #wasFull = false
  #bestMedian = Number.POSITIVE_INFINITY
  #slowRounds = 0

  /** The first round after the last cut. */
  #cutRound: Round = 0
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
    return this.#inFlight
  }

  get isFull(): boolean {
    return this.#inFlight >= this.limit
  }

  /** A request is sent. When it has ended, call one of the next three with the round. */
  begin(): Round {
    this.#inFlight++
    this.#wasFull ||= this.isFull
    return this.#round
  }

  /** @param wait Milliseconds to the first of the answer. */
  succeed(round: Round, wait: number, now: number): void {
    this.#inFlight--
    if (round !== this.#round) return
    this.#waits.push(wait)
    if (this.#waits.length >= this.limit / 2) this.#endRound(now)
  }

  /** @param retryAfter In milliseconds, as asked for by the service. */
  refuse(round: Round, retryAfter: number | undefined, now: number): void {
    this.#inFlight--
    this.#mayGrowFrom = Math.max(this.#mayGrowFrom, now + Math.max(growthPause, retryAfter ?? 0))
    // Those sent before the cut say nothing about the limit after it.
    if (round < this.#cutRound) return
    this.#isDoubling = false
    const wasKnown = this.#limit > this.#refusedAt * sameLevel
    this.#probeInterval = wasKnown ? Math.min(2 * this.#probeInterval, maxProbeInterval) : firstProbeInterval
    this.#refusedAt = this.#limit
    this.#mayProbeFrom = now + this.#probeInterval
    this.#setLimit(this.#limit * cutFactor)
    this.#startRound()
    this.#cutRound = this.#round
  }

  /** A failure that says nothing about the limit. */
  fail(): void {
    this.#inFlight--
  }

  /** Starts small again, after a time without answers. */
  restart(): void {
    this.#isDoubling = true
    this.#slowRounds = 0
    this.#setLimit(Math.min(start, this.#limit))
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
