/** What a run spends: what was paid, and what the requests in flight may cost, in the currency of the model list. */

import { costOf, type Model, type Price, priceNamed } from '../api/models.ts'
import {
  NetworkError,
  StatusError,
  type SynError,
  ThresholdError,
  TimeoutError,
  UsageError,
  withHint,
} from '../errors.ts'
import type { StreamingOperation } from '../api/operations.ts'
import type { JsonObject } from '../io/json/json.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { modelName } from '../models/rotation.ts'
import { PromptEstimator, tokenLimitOf } from '../models/token-estimate.ts'
import type { Usage } from '../stream/delta.ts'
import { costText, noPrice } from './usage-text.ts'
import { UsageTotals } from './usage-totals.ts'

/** A request, as far as its cost is known before its answer. */
interface Expected {
  /** The requested one. */
  readonly model: string
  readonly promptTokens: number
  /** The most tokens of its answers; `Infinity` without a limit. */
  readonly limit: number
}

/** @param body The body of a request. */
export function expectedOf(
  body: JsonObject,
  { choiceCount }: StreamingOperation,
  estimator: PromptEstimator,
): Expected {
  const { model = null } = body
  const limit = tokenLimitOf(body) * choiceCount(body)
  return { model: modelName(model), promptTokens: estimator.tokensOf(body), limit }
}

/**
 * @param names The model that answered: as requested, and as served. @param error Why there is no answer, or only a part.
 * @returns the usage, or with a limit an estimate in place of it.
 */
type EndRequest = (
  names: readonly (string | undefined)[],
  usage: Usage | undefined,
  error?: unknown,
) => Usage | undefined

/** So many answers are enough to estimate others. */
const minAnswers = 20

/** In tokens, of an answer before the first one. */
const firstGuess = 1000

export class Spending {
  readonly #estimator: PromptEstimator
  readonly #list: readonly Model[]
  readonly #max: number
  readonly #before: UsageTotals
  /** The cost of earlier runs; 0 if unknown. */
  readonly #spentBefore: number
  /** By the names of a model, as a list has hundreds. */
  readonly #prices = new Map<string, Price | undefined>()
  #spent = 0
  #isKnown = true
  #reserved = 0
  #inFlight = 0
  readonly #run = { answers: 0, completionTokens: 0, promptCost: 0, expectedPromptCost: 0 }

  /**
   * @param list Has the prices. @param max What all runs may cost. @param before What earlier runs spent.
   * @throws UsageError with a limit, if the list has no price for a model of theirs.
   */
  constructor(list: readonly Model[], max = Infinity, before = new UsageTotals(), estimator = new PromptEstimator()) {
    this.#estimator = estimator
    this.#list = list
    this.#max = max
    this.#before = before
    this.#spentBefore = before.cost(list) ?? 0
    const unpriced = before.unpriced(list)
    if (max === Infinity) return
    if (list.length === 0) throw new UsageError('--max-cost: the service sent no model list, which has the prices')
    if (unpriced !== undefined)
      throw withHint(noPrice(sanitizeName(unpriced)), 'earlier runs used it; choose another --output')
  }

  /** @param names The names of a model: as requested, and as served. */
  priceOf(...names: readonly (string | undefined)[]): Price | undefined {
    const key = names.join(' ')
    if (!this.#prices.has(key)) this.#prices.set(key, priceNamed(this.#list, names))
    return this.#prices.get(key)
  }

  get #isLimited(): boolean {
    return this.#max < Infinity
  }

  /** @throws UsageError with a limit, without a price. */
  checkPrice(model: string): void {
    if (this.#isLimited && !this.priceOf(model)) throw noPrice(sanitizeName(model))
  }

  /** The number of answers in this run. */
  get answers(): number {
    return this.#run.answers
  }

  /** How far prompts cost more than was expected. */
  get promptFactor(): number {
    const { answers, promptCost, expectedPromptCost } = this.#run
    const factor = expectedPromptCost === 0 ? 1 : promptCost / expectedPromptCost
    // The first prompts may have been in the cache.
    return answers < minAnswers ? Math.max(1, factor) : factor
  }

  /** The tokens of an answer so far, of earlier runs too. @returns `undefined` if there are fewer answers than `least`. */
  meanAnswer(least = minAnswers): number | undefined {
    const answers = this.#before.count + this.#run.answers
    const tokens = (this.#before.usage?.completionTokens ?? 0) + this.#run.completionTokens
    return answers < least ? undefined : tokens / answers
  }

  /**
   * The error in place of a request that would exceed the limit, or has no price then. Before anything was spent, one request
   * may be sent alone, whatever its answer may cost.
   */
  refusal(body: JsonObject, operation: StreamingOperation): SynError | undefined {
    if (!this.#isLimited) return undefined
    const expected = expectedOf(body, operation, this.#estimator)
    if (!this.priceOf(expected.model)) return noPrice(sanitizeName(expected.model))
    const { prompt, answer } = this.#estimate(expected)
    const left = this.#max - this.#spentInAll - this.#reserved
    const isFirst = this.#inFlight === 0 && this.#spentInAll === 0
    if (prompt + (isFirst ? 0 : answer) <= left) return undefined
    const next = `the next request may cost about ${costText(prompt + answer)}`
    return new ThresholdError(`stopped at --max-cost $${this.#max}: ${costText(this.#spentInAll)} spent, and ${next}`, {
      hint: 'use a higher --max-cost to continue',
    })
  }

  /**
   * Counts a request as in flight, until the returned function is called. Without usage the estimate counts, unless the request
   * was refused.
   */
  begin(body: JsonObject, operation: StreamingOperation): EndRequest {
    const expected = expectedOf(body, operation, this.#estimator)
    const { prompt, answer } = this.#estimate(expected)
    this.#reserved += prompt + answer
    this.#inFlight += 1
    return (names, usage, error) => {
      this.#inFlight -= 1
      this.#reserved = this.#inFlight === 0 ? 0 : this.#reserved - prompt - answer
      const isRefused = error instanceof StatusError || error instanceof NetworkError
      const mayBePaid = !isRefused || error instanceof TimeoutError
      // A --fallback model may lack a price.
      const price = this.priceOf(...names) ?? this.priceOf(expected.model)
      // Some services send only zeros.
      if (price && usage?.promptTokens && usage.completionTokens !== undefined) {
        this.#add(price, usage, expected)
        return usage
      }
      if (!mayBePaid) return usage
      this.#isKnown = false
      this.#spent += prompt + answer
      const completionTokens = Math.round(answer / (price?.completion || Infinity))
      return this.#isLimited ? { promptTokens: Math.round(expected.promptTokens), completionTokens } : usage
    }
  }

  #estimate({ model, promptTokens, limit }: Expected): { readonly prompt: number; readonly answer: number } {
    const price = this.priceOf(model) ?? { prompt: 0, completion: 0 }
    const answer = Math.min(limit, this.meanAnswer(1) ?? firstGuess)
    return { prompt: promptTokens * price.prompt * this.promptFactor, answer: answer * price.completion }
  }

  #add(price: Price, usage: Usage, { promptTokens }: Expected): void {
    const cost = costOf(price, usage)
    const { completionTokens = 0 } = usage
    this.#spent += cost
    this.#run.answers += 1
    this.#run.completionTokens += completionTokens
    this.#run.promptCost += cost - completionTokens * price.completion
    this.#run.expectedPromptCost += promptTokens * price.prompt
  }

  get #spentInAll(): number {
    return this.#spentBefore + this.#spent
  }

  /** In this run; `undefined` if a price or the usage of an answer is unknown, or nothing costs anything. */
  get spent(): number | undefined {
    return this.#isKnown && this.#spent > 0 ? this.#spent : undefined
  }

  /** `$0.12 of about $0.85 in this run, $0.31 in all`; `undefined` as `spent`. @param total What the run may cost. */
  text(total?: number): string | undefined {
    if (this.spent === undefined) return undefined
    const run = `${costText(this.spent)}${total === undefined ? '' : ` of about ${aboutCost(total)}`} in this run`
    return this.#spentBefore > 0 ? `${run}, ${costText(this.#spentInAll)} in all` : run
  }
}

/** An estimate, with two digits: `$0.25`, `$1.10`, `$120`. */
export function aboutCost(cost: number): string {
  return costText(Number(cost.toPrecision(2))).replace(/(\d\d)\.00$/, '$1')
}
