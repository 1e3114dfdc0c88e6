/** The sandbox's only account: its usage, and its quota record (section 2.5). */

import type { JsonObject } from '../io/json/json.ts'
import { defaultLimit, defaultRenewalHours } from './defaults.ts'
import { HttpError } from './endpoint.ts'

/** Dollars per token of prompt and completion. The real list writes some with a dollar sign and some without. */
export interface Prices {
  readonly prompt: string
  readonly completion: string
}

const hour = 3_600_000
const week = 7 * 24 * hour
const searchLimit = 250
const weeklyCredits = 24
/** The rolling limit renews this fraction of itself every tick, so that it renews whole in the subscription's period. */
const tickFraction = 0.05

export class Account {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly #limit: number
  readonly #subscription: Counter
  readonly #rolling: Counter
  readonly #search: Counter
  readonly #credits: Counter

  /** @param limit Requests to text models in a period of the subscription, which is in milliseconds. */
  constructor(limit = defaultLimit, now: () => number = Date.now, period = defaultRenewalHours * hour) {
    this.#limit = limit
    this.now = now
    this.#subscription = countUsage(period, now)
    this.#rolling = countUsage(tickFraction * period, now, tickFraction * limit)
    this.#search = countUsage(hour, now)
    this.#credits = countUsage(week, now)
  }

  /**
   * Counts a request to a text model; embeddings and quota requests are exempt (section 8).
   * @throws HttpError when the limit is reached.
   */
  countRequest(): void {
    if (this.#subscription.used() >= this.#limit || this.#rolling.used() + 1 > this.#limit) {
      const renewal = this.#subscription.renewsAt()
      throw new HttpError(429, `You've exceeded your subscription rate limits. Your limit renews at ${renewal}.`)
    }
    this.#subscription.add(1)
    this.#rolling.add(1)
  }

  /** @throws HttpError when the hourly limit is reached. */
  countSearch(): void {
    if (this.#search.used() >= searchLimit) throw new HttpError(429, "You've exceeded your hourly search limit.")
    this.#search.add(1)
  }

  /** Charges the weekly credits for an answer; a model without prices is free. */
  charge(prices: Prices | undefined, promptTokens: number, completionTokens: number): void {
    const price = (text = '0'): number => Number(text.replace('$', ''))
    this.#credits.add(promptTokens * price(prices?.prompt) + completionTokens * price(prices?.completion))
  }

  record(): JsonObject {
    const rolling = this.#limit - this.#rolling.used()
    const credits = Math.max(0, weeklyCredits - this.#credits.used())
    return {
      subscription: record(this.#subscription, this.#limit),
      search: { hourly: record(this.#search, searchLimit) },
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
        tickPercent: tickFraction,
        remaining: Math.round(rolling * 100) / 100,
        max: this.#limit,
        limited: rolling < 1,
      },
    }
  }
}

/** Usage that has not been renewed. */
interface Counter {
  used(): number
  add(amount: number): void
  renewsAt(): string
}

/** @param period In milliseconds. @param renewed The amount renewed after each period (default: all). */
function countUsage(period: number, now: () => number, renewed = Infinity): Counter {
  let renewal = now() + period
  let amount = 0
  const used = (): number => {
    const periods = Math.max(0, Math.floor((now() - renewal) / period) + 1)
    renewal += periods * period
    if (periods > 0) amount = Math.max(0, amount - periods * renewed)
    return amount
  }
  return {
    used,
    add: (more) => void (amount = used() + more),
    renewsAt() {
      used()
      return new Date(renewal).toISOString()
    },
  }
}

function record(counter: Counter, limit: number): JsonObject {
  return { limit, requests: counter.used(), renewsAt: counter.renewsAt() }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
