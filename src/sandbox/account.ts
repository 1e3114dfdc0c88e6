/** An account of the sandbox: what it may use, what it has used, and its quota record (section 2.5). */

import type { JsonObject } from '../io/json/json.ts'
import { hour } from '../io/time/time.ts'
import { defaultLimit, defaultRenewalHours } from './defaults.ts'
import { HttpError } from './endpoint.ts'
import { leastWeight, pricesOf, weightOf, type Prices, type SandboxModel } from './models.ts'
import { PromptCache, type PromptPart, type PromptTokens } from './prompt-cache.ts'
import { createQueue } from './queue.ts'

export interface AccountOptions {
  /** The rolling limit, in requests to the dearest model. */
  readonly limit?: number | undefined
  /** Milliseconds until a used-up rolling limit is full again. */
  readonly renewal?: number | undefined
  /** Requests to each text model at a time (default: any number). */
  readonly concurrent?: number | undefined
  /** Milliseconds since 1970 (default: the system's clock). */
  readonly now?: () => number
}

const week = 7 * 24 * hour
const searchLimit = 250
const weeklyCredits = 24
const weeklyCreditParts = 50
/** The share of the rolling limit that comes back at each tick. */
const tickFraction = 0.05

export class Account {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly #limit: number
  readonly #concurrent: number
  readonly #hasSubscription: boolean
  readonly #hasQuota: boolean
  /** Requests to text models, by the name of the model. */
  readonly #queues = new Map<string, ReturnType<typeof createQueue>>()
  readonly #cache = new PromptCache()
  /** Counts nothing: on current accounts, only the counters below move. */
  readonly #subscription: Counter
  readonly #rolling: Counter
  readonly #search: Counter
  readonly #credits: Counter

  /** @param state What the account has at first. */
  constructor(options: AccountOptions, state: 'full' | 'used up' | 'no quota' | 'no subscription' = 'full') {
    const { limit = defaultLimit, renewal = defaultRenewalHours * hour, now = Date.now } = options
    this.now = now
    this.#limit = limit
    this.#concurrent = options.concurrent ?? Infinity
    this.#hasSubscription = state !== 'no subscription'
    this.#hasQuota = this.#hasSubscription && state !== 'no quota'
    this.#subscription = countUsage(renewal, now)
    this.#rolling = countUsage(tickFraction * renewal, now, tickFraction * limit)
    if (state === 'used up') this.#rolling.add(limit)
    this.#search = countUsage(hour, now)
    this.#credits = countUsage(week / weeklyCreditParts, now, weeklyCredits / weeklyCreditParts)
  }

  /**
   * Counts a request to a text model, when its turn has come; embeddings and quota requests are exempt (section 8).
   * @param ended Aborted when the reply is complete, or the client gone: until then, the request runs.
   * @returns the tokens of its prompt.
   * @throws HttpError: 402 without a subscription, 429 if a limit is used up.
   */
  async countRequest(model: SandboxModel, prompt: readonly PromptPart[], ended: AbortSignal): Promise<PromptTokens> {
    const waitForTurn = this.#queues.get(model.name) ?? createQueue(this.#concurrent)
    this.#queues.set(model.name, waitForTurn)
    await waitForTurn(ended)
    if (!this.#hasSubscription) throw new HttpError(402, 'Insufficient credits, no active subscription')
    if (this.#requestsLeft() < weightOf(model)) throw limitExceeded(this.#rolling)
    if (this.#credits.used() >= weeklyCredits) throw limitExceeded(this.#credits)
    this.#rolling.add(weightOf(model))
    return this.#cache.read(model.name, prompt)
  }

  /** @throws HttpError when the hourly limit is reached. */
  countSearch(): void {
    if (this.#search.used() >= searchLimit) throw new HttpError(429, "You've exceeded your hourly search limit.")
    this.#search.add(1)
  }

  /** Charges the weekly credits for tokens, by their price. */
  charge(model: SandboxModel, tokens: Readonly<Partial<Record<keyof Prices, number>>>): void {
    for (const [name, price] of Object.entries(pricesOf(model)) as [keyof Prices, number][])
      this.#credits.add((tokens[name] ?? 0) * price)
  }

  record(): JsonObject {
    if (!this.#hasQuota) return {}
    const remaining = this.#requestsLeft()
    const credits = Math.max(0, weeklyCredits - this.#credits.used())
    return {
      subscription: record(this.#subscription, this.#limit),
      search: { hourly: record(this.#search, searchLimit) },
      freeToolCalls: { limit: 0, requests: 0, renewsAt: this.#subscription.renewsAt() },
      weeklyTokenLimit: {
        nextRegenAt: this.#credits.renewsAt(),
        percentRemaining: round((credits / weeklyCredits) * 100),
        maxCredits: dollars(weeklyCredits),
        remainingCredits: dollars(credits),
        nextRegenCredits: dollars(weeklyCredits / weeklyCreditParts),
      },
      rollingFiveHourLimit: {
        nextTickAt: this.#rolling.renewsAt(),
        tickPercent: tickFraction,
        remaining,
        max: this.#limit,
        // No request fits into less.
        limited: remaining < leastWeight,
      },
    }
  }

  #requestsLeft(): number {
    return round(this.#limit - this.#rolling.used())
  }
}

type Counter = ReturnType<typeof countUsage>

/** Counts usage that has not been renewed. @param period In milliseconds. @param renewed The amount renewed after each period (default: all). */
function countUsage(period: number, now: () => number, renewed = Infinity) {
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
    add: (more: number): void => void (amount = used() + more),
    renewsAt() {
      used()
      return new Date(renewal).toISOString()
    },
  }
}

function record(counter: Counter, limit: number): JsonObject {
  return { limit, requests: counter.used(), renewsAt: counter.renewsAt() }
}

function limitExceeded(counter: Counter): HttpError {
  const renewal = `Your limit renews in part at ${counter.renewsAt()}.`
  return new HttpError(429, `You've exceeded your subscription rate limits. ${renewal}`)
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}

/** 498.9 instead of 498.90000000000003. */
function round(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}
