/** What a run spends: what was paid, and what the requests in flight may cost, in the currency of the model list. */

import { costOf, type Model, type Price, priceNamed } from '../api/models.ts'
import {
  advice,
  NetworkError,
  StatusError,
  syn,
  type SynError,
  ThresholdError,
  TimeoutError,
  UsageError,
  withHint,
} from '../errors.ts'
import type { StreamingOperation } from '../api/operations.ts'
import type { JsonObject } from '../io/json/json.ts'
import { plainNumber } from '../io/text/plural.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { modelName } from '../models/rotation.ts'
import { PromptEstimator, tokenLimitOf } from '../models/token-estimate.ts'
import type { Usage } from '../stream/delta.ts'
import { costText, noPrice } from './usage-text.ts'
import { UsageTotals } from './usage-totals.ts'

/** A request, as far as its cost is known before its answer. */
interface Expected {
  /** The one to ask. */
  readonly model: string
  readonly promptTokens: number
  /** The most tokens of its answers; `Infinity` without a limit. */
  readonly limit: number
  /** Whether nobody chose that limit. */
  readonly isOpen: boolean
}

/** @param body The body of a request. */
export function expectedOf(
  body: JsonObject,
  { choiceCount, fields }: StreamingOperation,
  estimator: PromptEstimator,
): Expected {
  const { model = null, max_tokens: given } = body
  const limit = tokenLimitOf(body) * choiceCount(body)
  const isOpen = limit === Infinity || (given !== undefined && fields.max_tokens?.default === given)
  return { model: modelName(model), promptTokens: estimator.tokensOf(body), limit, isOpen }
}

/** What a request in flight may cost. `isBlind`: nothing is known of the length of its answer. */
interface Reserved {
  readonly prompt: number
  readonly answer: number
  readonly isBlind: boolean
}

/** A request in flight. */
export type SpendingRequest = ReturnType<Spending['begin']>

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
  readonly #inFlight = new Set<Reserved>()
  /** The models that answered last, or were asked, by those that were requested. */
  readonly #asked = new Map<string, string>()
  readonly #run = { answers: 0, largest: 0, completionTokens: 0, promptCost: 0, expectedPromptCost: 0 }

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
    if (list.length === 0) {
      throw new UsageError('--max-cost: no model list, which has the prices', { hint: advice`try ${syn('models')}` })
    }
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
   * The error in place of a request that would exceed the limit, or has no price then. A request without a token limit may be
   * sent alone as long as its prompt and an average answer fit; before the first answer, as long as its prompt does.
   */
  refusal(body: JsonObject, operation: StreamingOperation): SynError | undefined {
    return this.#isLimited ? this.#refusalOf(this.#expected(body, operation)) : undefined
  }

  /** Counts a request as in flight, until its `end`. Without usage the estimate counts, unless the request was refused. */
  begin(body: JsonObject, operation: StreamingOperation) {
    let expected = this.#expected(body, operation)
    let reserved = this.#estimate(expected)
    let hasPart = false
    this.#inFlight.add(reserved)
    const again = (): void => {
      this.#inFlight.delete(reserved)
      const refusal = this.#isLimited && this.#refusalOf(expected)
      if (refusal) throw refusal
      this.#inFlight.add((reserved = this.#estimate(expected)))
    }
    const count: SpendingRequest['end'] = (names, usage, error) => {
      const price = this.priceOf(...names) ?? this.priceOf(expected.model)
      // Some services send only zeros.
      if (price && usage?.promptTokens && usage.completionTokens !== undefined) {
        this.#asked.set(modelName(body.model ?? null), names[0] ?? expected.model)
        this.#add(price, usage, expected)
        return usage
      }
      if (!hasPart && isUnpaid(error)) return usage
      this.#isKnown = false
      this.#spent += reserved.prompt + reserved.answer
      const completionTokens = Math.round(reserved.answer / (price?.completion || Infinity))
      return this.#isLimited ? { promptTokens: Math.round(expected.promptTokens), completionTokens } : usage
    }
    return {
      /** Call before another model is asked. @throws the refusal, as `refusal` returns it. */
      ask: (model: string): void => {
        this.#asked.set(modelName(body.model ?? null), model)
        expected = { ...expected, model }
        again()
      },
      /**
       * A reply with status 200 was lost, and may have to be paid.
       * @param hasStarted Whether a part of it has come, if only reasoning: `end` counts it.
       * @throws the refusal of another attempt, if nothing has come.
       */
      lose: (hasStarted = false): void => {
        hasPart = hasStarted
        if (hasStarted || !this.#isLimited) return
        this.#spent += reserved.prompt + reserved.answer
        again()
      },
      /** Counts an answer that another request of the same kind follows. @param names As for `end`. */
      pay: (names: readonly (string | undefined)[], usage: Usage | undefined): void => void count(names, usage),
      /**
       * @param names The model that answered: as requested, and as served. @param error Why there is no answer, or only a part.
       * @returns the usage, or with a limit an estimate in place of it.
       */
      end: (names: readonly (string | undefined)[], usage: Usage | undefined, error?: unknown): Usage | undefined => {
        this.#inFlight.delete(reserved)
        return count(names, usage, error)
      },
    }
  }

  #expected(body: JsonObject, operation: StreamingOperation): Expected {
    const expected = expectedOf(body, operation, this.#estimator)
    return { ...expected, model: this.#asked.get(expected.model) ?? expected.model }
  }

  #refusalOf(expected: Expected): SynError | undefined {
    const price = this.priceOf(expected.model)
    if (!price) return noPrice(sanitizeName(expected.model))
    const { prompt, answer, isBlind } = this.#estimate(expected)
    const others = [...this.#inFlight]
    const isAlone = others.length === 0
    const left = others.reduce((rest, other) => rest - other.prompt - other.answer, this.#max - this.#spentInAll)
    const least = expected.isOpen && isAlone ? (this.meanAnswer(1) ?? 0) * price.completion : answer
    const mayJoin = isAlone || ![...others, { isBlind }].some((one) => one.isBlind)
    if (mayJoin && prompt + Math.min(least, answer) <= left) return undefined
    const next = `the next request may cost about ${costText(prompt + answer)}`
    return this.#exceeded('stopped at', next, 'use a higher --max-cost to continue')
  }

  #exceeded(what: string, next: string, hint: string): ThresholdError {
    const spent = `${costText(this.#spentInAll)} spent`
    return new ThresholdError(`${what} --max-cost $${plainNumber(this.#max)}: ${spent}, and ${next}`, { hint })
  }

  /** The error of a preview, if more would be spent than may be. @param cost Of what would be sent. */
  excess(cost: number): ThresholdError | undefined {
    if (this.#spentInAll + cost <= this.#max) return undefined
    const next = `the rows to send may cost about ${costText(cost)}`
    return this.#exceeded('more than', next, 'use a higher --max-cost, or lower --max-tokens')
  }

  /** An answer without a token limit may become as long as the longest so far. */
  #estimate({ model, promptTokens, limit, isOpen }: Expected): Reserved {
    const price = this.priceOf(model) ?? { prompt: 0, completion: 0 }
    const largest = Math.max(this.#before.largest, this.#run.largest)
    const answer = isOpen ? Math.min(limit, largest || firstGuess) : limit
    const prompt = promptTokens * price.prompt * this.promptFactor
    return { prompt, answer: answer * price.completion, isBlind: isOpen && largest === 0 }
  }

  #add(price: Price, usage: Usage, { promptTokens }: Expected): void {
    const cost = costOf(price, usage)
    const { completionTokens = 0 } = usage
    this.#spent += cost
    this.#run.answers += 1
    this.#run.completionTokens += completionTokens
    this.#run.largest = Math.max(this.#run.largest, completionTokens)
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

/** Whether nothing has to be paid of what ended so. Replies with status 200 that were lost have been counted before. */
function isUnpaid(error: unknown): boolean {
  if (error instanceof NetworkError) return !(error instanceof TimeoutError)
  return error instanceof StatusError || error instanceof ThresholdError || error instanceof UsageError
}

/** An estimate, with two digits: `$0.25`, `$1.10`, `$120`. */
export function aboutCost(cost: number): string {
  return costText(Number(cost.toPrecision(2))).replace(/(\d\d)\.00$/, '$1')
}
