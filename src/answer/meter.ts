/** Measures an answer for `--usage`: tokens, times, cost, and what is left of the quota. */

import { costOf, type Model, priceNamed } from '../api/models.ts'
import type { Json } from '../io/json/json.ts'
import { quotaLeftText } from '../quota/record.ts'
import type { Answer } from '../stream/answer.ts'
import { addUsage, type Usage } from '../stream/delta.ts'
import { charactersPerToken, costText, tokenCounts } from './usage-text.ts'

/** In milliseconds: over less time, a rate measures the clock rather than the service. */
const shortestStream = 20

export class Meter {
  /** The requested one, or another that is asked instead. */
  model: Json
  readonly #now: () => number
  #started: number
  readonly #before: Meter | undefined
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
  }

  /** The tokens of this request and those before it. */
  get usage(): Usage | undefined {
    const [before, own] = [this.#before?.usage, this.answer.usage]
    return before && own ? addUsage(before, own) : (own ?? before)
  }

  get requests(): number {
    return (this.#before?.requests ?? 0) + this.answer.requests
  }

  /** Leaves out time in which the user was waited for, of this request and those that follow it. */
  skip(milliseconds: number): void {
    this.#started += milliseconds
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
    const { requests } = this
    return requests > 1 ? [`${requests} requests`] : []
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
    const tokens = this.answer.lastUsage?.completionTokens
    // An answer that came in one piece has no meaningful rate.
    if (tokens === undefined || streaming < shortestStream) return times
    return [...times, `${Math.round((tokens / streaming) * 1000)} tokens/s`]
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
