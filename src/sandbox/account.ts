/** The one account of the sandbox: what it has used, and the quota record of section 2.5. */

import type { JsonObject } from '../io/json.ts'
import { defaultLimit } from './defaults.ts'
import { HttpError } from './http-error.ts'

/** Dollars for one token, read and written. The real list writes some with a dollar sign and some without. */
export interface Prices {
  readonly prompt: string
  readonly completion: string
}

const minute = 60_000
const hour = 60 * minute
const week = 7 * 24 * hour
const searchLimit = 250
const weeklyCredits = 24
/** The rolling limit gives back this part of itself at every tick. */
const tickPart = 0.05
const tickLength = 15 * minute

export class Account {
  readonly #limit: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly #subscription: Counter
  readonly #search: Counter
  readonly #credits: Counter
  readonly #rolling: Counter

  /** @param limit Requests to text models until the subscription renews, five hours on. */
  constructor(limit = defaultLimit, now: () => number = Date.now) {
    this.#limit = limit
    this.now = now
    this.#subscription = new Counter(5 * hour, now)
    this.#search = new Counter(hour, now)
    this.#credits = new Counter(week, now)
    this.#rolling = new Counter(tickLength, now, tickPart * limit)
  }

  /**
   * Counts a request to a text model; embeddings and quota requests are exempt (section 8).
   * @throws HttpError when the limit is spent.
   */
  countRequest(): void {
    if (this.#subscription.used() >= this.#limit || this.#rolling.used() + 1 > this.#limit) {
      const renewal = this.#subscription.renewsAt()
      throw new HttpError(429, `You've exceeded your subscription rate limits. Your limit renews at ${renewal}.`)
    }
    this.#subscription.add(1)
    this.#rolling.add(1)
  }

  /** @throws HttpError when this hour's searches are spent. */
  countSearch(): void {
    if (this.#search.used() >= searchLimit) throw new HttpError(429, "You've exceeded your hourly search limit.")
    this.#search.add(1)
  }

  /** Takes the price of an answer off the weekly credits; a model without a price costs nothing. */
  charge(prices: Prices | undefined, promptTokens: number, completionTokens: number): void {
    const price = (text = '0'): number => Number(text.replace('$', ''))
    this.#credits.add(promptTokens * price(prices?.prompt) + completionTokens * price(prices?.completion))
  }

  record(): JsonObject {
    const rolling = this.#limit - this.#rolling.used()
    const credits = Math.max(0, weeklyCredits - this.#credits.used())
    return {
      subscription: this.#subscription.record(this.#limit),
      search: { hourly: this.#search.record(searchLimit) },
      freeToolCalls: { limit: 0, requests: 0, renewsAt: this.#subscription.renewsAt() },
      weeklyTokenLimit: {
        nextRegenAt: this.#credits.renewsAt(),
        percentRemaining: Math.round((credits / weeklyCredits) * 10_000) / 100,
        maxCredits: dollars(weeklyCredits),
        remainingCredits: dollars(credits),
        nextRegenCredits: dollars(weeklyCredits - credits),
      },
      rollingFiveHourLimit: {
        nextTickAt: this.#rolling.renewsAt(),
        tickPercent: tickPart,
        remaining: Math.round(rolling * 100) / 100,
        max: this.#limit,
        limited: rolling < 1,
      },
    }
  }
}

/** What was used and has not come back yet. */
class Counter {
  readonly #period: number
  readonly #now: () => number
  readonly #renewed: number
  #renewal: number
  #used = 0

  /** @param renewed What comes back at the end of each period (milliseconds): all of it by default. */
  constructor(period: number, now: () => number, renewed = Infinity) {
    this.#period = period
    this.#now = now
    this.#renewed = renewed
    this.#renewal = now() + period
  }

  used(): number {
    for (; this.#now() >= this.#renewal; this.#renewal += this.#period) {
      this.#used = Math.max(0, this.#used - this.#renewed)
    }
    return this.#used
  }

  add(amount: number): void {
    this.#used = this.used() + amount
  }

  renewsAt(): string {
    this.used()
    return new Date(this.#renewal).toISOString()
  }

  record(limit: number): JsonObject {
    return { limit, requests: this.used(), renewsAt: this.renewsAt() }
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
