/** Measures answers: tokens, times, cost and what is left of the quota of one for `--usage`, and the totals of several. */

import { costOf, type Model, priceNamed } from '../api/models.ts'
import { UsageError } from '../errors.ts'
import type { Json } from '../io/json/json.ts'
import { grouped, pluralize } from '../io/text/plural.ts'
import { quotaLeftText } from '../quota/record.ts'
import type { Answer } from '../stream/answer.ts'
import { addUsage, type Usage, decodeUsage } from '../stream/delta.ts'
import type { AnswerNode } from '../conversation/conversation.ts'

/** In milliseconds: over less time, a rate measures the clock rather than the service. */
const shortestStream = 20

/** A rough estimate. */
export const charactersPerToken = 4

export class Meter {
  /** The requested one, or another that is asked instead. */
  model: Json
  readonly #now: () => number
  readonly #started: number
  readonly #before: Meter | undefined
  readonly #requests: number
  readonly answer: Answer

  /**
   * @param model As requested.
   * @param now In milliseconds, as of the answer.
   * @param before Measures the request before, whose answer called tools: its tokens and its time count, too.
   */
  constructor(model: Json, answer: Answer, now: () => number, before?: Meter) {
    this.model = model
    this.answer = answer
    this.#now = now
    this.#before = before
    this.#started = before ? before.#started : now()
    this.#requests = before ? before.#requests + 1 : 1
  }

  /** The tokens of this request and those before it. */
  get usage(): Usage | undefined {
    const [before, own] = [this.#before?.usage, this.answer.usage]
    return before && own ? addUsage(before, own) : (own ?? before)
  }

  /** Milliseconds since the request. */
  get elapsed(): number {
    return this.#now() - this.#started
  }

  /** The tokens of the answer so far. */
  get estimatedTokens(): number {
    return Math.ceil(this.answer.length / charactersPerToken)
  }

  /** Names that the model may have in the model list: as requested, and as served. */
  get modelNames(): readonly (string | undefined)[] {
    return [typeof this.model === 'string' ? this.model : undefined, this.answer.model]
  }

  /** @param catalog Has the prices. */
  async summary(catalog: { modelsIfAvailable(): Promise<readonly Model[]> }): Promise<string> {
    const { usage } = this
    const cost = usage && this.#costIn(await catalog.modelsIfAvailable())
    const tokens = usage ? tokenCounts(usage) : 'no token counts (the service sent none)'
    const costs = cost === undefined ? [] : [costText(cost)]
    return [...this.#requestCount(), tokens, ...this.#times(), ...costs, ...this.#quotaLeft()].join(' · ')
  }

  /** In dollars, with the prices of the model of each request; `undefined` if some are unknown. */
  #costIn(list: readonly Model[]): number | undefined {
    const before = this.#before?.usage ? this.#before.#costIn(list) : 0
    const price = priceNamed(list, this.modelNames)
    return before === undefined || !price ? undefined : before + costOf(price, this.answer.usage ?? {})
  }

  /** A shorter summary, for each answer of a chat; empty if nothing is known. */
  shortSummary(): string {
    const tokens = this.usage ? [tokenCounts(this.usage, { prompt: '', completion: '' })] : []
    const parts = [...this.#requestCount(), ...tokens, ...this.#times().slice(1), ...this.#quotaLeft()]
    return parts.join(' · ').replace(' total', '')
  }

  #requestCount(): string[] {
    return this.#requests > 1 ? [`${this.#requests} requests`] : []
  }

  #quotaLeft(): string[] {
    const left = this.answer.quota && quotaLeftText(this.answer.quota)
    return left === undefined ? [] : [left]
  }

  #times(): string[] {
    const { firstAt, lastAt } = this.answer
    if (firstAt === undefined || lastAt === undefined) return []
    const times = [`first token ${seconds(firstAt - this.#started)}`, `${seconds(lastAt - this.#started)} total`]
    const streaming = lastAt - firstAt
    const tokens = this.answer.usage?.completionTokens
    // An answer that came in one piece has no meaningful rate.
    if (tokens === undefined || streaming < shortestStream) return times
    return [...times, `${Math.round((tokens / streaming) * 1000)} tokens/s`]
  }
}

/** `$0.0012`, `$1.00`, `$12.35`: two digits at least. @param cost In dollars. */
export function costText(cost: number): string {
  const digits = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `$${cost.toLocaleString('en-US', cost > 0 && cost < 0.995 ? digits : cents)}`
}

/** The error for --max-cost. @param model Its name, safe for a terminal. */
export function noPrice(what: string): UsageError {
  return new UsageError(`--max-cost: the model list has no price for ${what}`)
}

/** `18 prompt (17 cached) + 3 completion tokens` */
export function tokenCounts(
  { promptTokens, cachedTokens, cacheWriteTokens, completionTokens }: Usage,
  words = { prompt: ' prompt', completion: ' completion' },
): string {
  const cached = cachedTokens ? [`${grouped(cachedTokens)} cached`] : []
  const written = cacheWriteTokens ? [`${grouped(cacheWriteTokens)} newly cached`] : []
  const cache = [...cached, ...written].join(', ')
  const cacheText = cache === '' ? '' : ` (${cache})`
  const [prompt, completion] = [promptTokens, completionTokens].map((count) =>
    count === undefined ? '?' : grouped(count),
  )
  return `${prompt}${words.prompt}${cacheText} + ${completion}${words.completion} tokens`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

type ModelNames = readonly (string | undefined)[]

export class UsageTotals {
  /** By the names of the model, which are few however long the conversation is. */
  readonly #byModel = new Map<string, { readonly names: ModelNames; readonly usage: Usage; readonly count: number }>()

  /** Adds up the answers whose usage is stored. */
  static of(answers: readonly AnswerNode[]): UsageTotals {
    const totals = new UsageTotals()
    for (const { model, servedModel, usage } of answers) totals.add([model, servedModel], decodeUsage(usage))
    return totals
  }

  /** @param names One of them may be in the model list. @param count How many answers; none without usage. */
  add(names: ModelNames, usage: Usage | undefined, count = 1): void {
    if (!usage) return
    const key = JSON.stringify(names)
    const known = this.#byModel.get(key)
    const sum = known ? addUsage(known.usage, usage) : usage
    this.#byModel.set(key, { names, usage: sum, count: count + (known?.count ?? 0) })
  }

  addAll(totals: UsageTotals): this {
    for (const { names, usage, count } of totals.#byModel.values()) this.add(names, usage, count)
    return this
  }

  /** The number of answers. */
  get count(): number {
    return [...this.#byModel.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** `undefined` before the first answer. */
  get usage(): Usage | undefined {
    const usages = [...this.#byModel.values()].map(({ usage }) => usage)
    return usages.length === 0 ? undefined : usages.reduce(addUsage)
  }

  /** The name of a model without a price. */
  unpriced(list: readonly Model[]): string | undefined {
    return [...this.#byModel.values()].find(({ names }) => !priceNamed(list, names))?.names[0]
  }

  /** The cost in dollars by the prices of the list; `undefined` if that of an answer is unknown. */
  cost(list: readonly Model[]): number | undefined {
    let total = 0
    for (const { names, usage } of this.#byModel.values()) {
      const price = priceNamed(list, names)
      if (!price) return undefined
      total += costOf(price, usage)
    }
    return total
  }

  summary(list: readonly Model[]): string {
    const { usage } = this
    if (usage === undefined) return 'no token counts yet'
    const cost = this.cost(list)
    const costs = cost === undefined ? [] : [costText(cost)]
    return [pluralize(this.count, 'answer'), tokenCounts(usage), ...costs].join(' · ')
  }
}
