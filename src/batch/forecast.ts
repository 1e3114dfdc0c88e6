/** What the requests of a run may cost, before they are sent and while they are. */

import type { Fallback } from '../answer/send.ts'
import { aboutCost, expectedOf, Spending } from '../answer/spending.ts'
import type { UsageTotals } from '../answer/usage-totals.ts'
import type { Model } from '../api/models.ts'
import type { StreamingOperation } from '../api/operations.ts'
import type { SynError } from '../errors.ts'
import type { Json } from '../io/json/json.ts'
import { modelName } from '../models/rotation.ts'
import { PromptEstimator } from '../models/token-estimate.ts'
import type { RowRequest } from './row.ts'
import type { RowReply, SendRow } from './sending/sender.ts'

/** Embeddings are free (section 8). */
function isPriced(row: RowRequest): row is RowRequest & { readonly operation: StreamingOperation } {
  return 'createAccumulator' in row.operation
}

export class Forecast {
  /**
   * Sums over the rows that were added, by their models: their number, that of those without a limit, the tokens of the prompts,
   * and the most of the other answers.
   */
  readonly #sums = new Map<string, { rows: number; unlimited: number; promptTokens: number; limit: number }>()
  readonly #estimator = new PromptEstimator()
  #rows = 0
  #toSend = 0
  #spending = new Spending([])

  /** Adds a row of the input, before `begin`. */
  add(row: RowRequest): void {
    this.#rows += 1
    if (!isPriced(row)) return
    const { model, ...expected } = expectedOf(row.body, row.operation, this.#estimator)
    const sums = this.#sums.get(model) ?? { rows: 0, unlimited: 0, promptTokens: 0, limit: 0 }
    sums.rows += 1
    sums.promptTokens += expected.promptTokens
    if (expected.limit === Infinity) sums.unlimited += 1
    else sums.limit += expected.limit
    this.#sums.set(model, sums)
  }

  /** Leaves out a part of a model's rows. @param left How many are sent. */
  limit(model: Json, left: number): void {
    const sums = this.#sums.get(modelName(model))
    if (!sums) return
    const share = left / sums.rows
    this.#rows -= sums.rows - left
    for (const key of ['rows', 'unlimited', 'promptTokens', 'limit'] as const) sums[key] *= share
    if (left === 0) this.#sums.delete(modelName(model))
  }

  /**
   * @param list Has the prices. @param toSend How many rows are sent: a part of those that were added stands for all.
   * @param before What earlier runs spent.
   * @param limits What all runs may cost, in dollars, and the models that rows may be sent to besides their own.
   * @throws UsageError with a limit, if the list has no price for a model.
   */
  begin(
    list: readonly Model[],
    toSend: number,
    before?: UsageTotals,
    { maxCost, fallback }: { maxCost?: number | undefined; fallback?: Fallback } = {},
  ): void {
    this.#toSend = toSend
    this.#spending = new Spending(list, maxCost, before, this.#estimator)
    const others = typeof fallback === 'object' ? fallback : []
    for (const model of [...this.#sums.keys(), ...others]) this.#spending.checkPrice(model)
  }

  /** The error in place of a row that --max-cost does not allow. */
  refusal(row: RowRequest): SynError | undefined {
    return isPriced(row) ? this.#spending.refusal(row.body, row.operation) : undefined
  }

  /** Sends a row, and counts what its answer costs. */
  async send(row: RowRequest, send: SendRow, asksAll?: boolean): Promise<RowReply> {
    if (!isPriced(row)) return send(row)
    const request = this.#spending.begin(row.body, row.operation)
    try {
      const reply = await send(row, asksAll, request)
      const { asked, model } = reply.result
      const counted = request.end([modelName(asked ?? row.body.model), model], reply.lastUsage ?? reply.result.usage)
      return { ...reply, result: { ...reply.result, usage: reply.lastUsage ? reply.result.usage : counted } }
    } catch (error) {
      request.end([], undefined, error)
      throw error
    }
  }

  /** What rows cost. @param count Of the rows that were added. @returns `undefined` if a price is unknown. */
  #costs(count: number) {
    const [share, mean = NaN] = [count / this.#rows, this.#spending.meanAnswer()]
    /** `limited`: the most for answers that have a limit. `unlimited`: how many others have a price. */
    const costs = { prompts: 0, answers: 0, limited: 0, unlimited: 0 }
    for (const [model, { rows, unlimited, promptTokens, limit }] of this.#sums) {
      const price = this.#spending.priceOf(model)
      if (!price) return undefined
      costs.prompts += share * promptTokens * price.prompt * this.#spending.promptFactor
      costs.answers += share * rows * mean * price.completion
      costs.limited += share * limit * price.completion
      if (price.completion > 0) costs.unlimited += unlimited
    }
    return costs
  }

  /** `about 410k tokens of prompts, $0.25; answers at most $1.10`: what is known of the rows to send; empty if nothing is. */
  get planned(): string[] {
    if (this.#estimator.hasImages || this.#sums.size === 0) return []
    const all = [...this.#sums.values()].reduce((sum, { promptTokens }) => sum + promptTokens, 0)
    const tokens = (all * this.#toSend) / this.#rows
    const options = { notation: 'compact', maximumSignificantDigits: 2 } as const
    const text = `about ${tokens.toLocaleString('en-US', options).replace('K', 'k')} tokens of prompts`
    const costs = this.#costs(this.#toSend)
    if (!costs || costs.prompts + costs.limited + costs.unlimited === 0) return [text]
    const { prompts, answers, limited, unlimited } = costs
    const isMost = Number.isNaN(answers)
    const ofAnswers = isMost ? `; answers at most ${aboutCost(limited)}` : `; answers about ${aboutCost(answers)}`
    return [`${text}, ${aboutCost(prompts)}${isMost && unlimited > 0 ? '' : ofAnswers}`]
  }

  /** Whether the prompts exceed the limit, with the most for answers that have one, and what earlier answers say of the others. */
  get gate(): { readonly excess: SynError | undefined; readonly notes: string[] } {
    const { prompts = 0, answers = 0, limited = 0, unlimited = 0 } = this.#costs(this.#toSend) ?? {}
    const isGuess = unlimited > 0 && !Number.isNaN(answers)
    const excess = this.#spending.excess(prompts + (isGuess ? Math.max(limited, answers) : limited))
    const notCounted = `answers${limited > 0 ? ' without a limit' : ''} not counted`
    return { excess, notes: unlimited > 0 && !isGuess ? [notCounted] : [] }
  }

  /** What the run has cost, and what it will have at its end, in dollars; `undefined` as long as it is unknown. */
  get cost(): {
    readonly spent: number | undefined
    readonly total: number | undefined
    readonly text: string | undefined
  } {
    const { spent, answers: done } = this.#spending
    const { prompts, answers } = this.#costs(Math.max(0, this.#toSend - done)) ?? { prompts: NaN, answers: NaN }
    const sum = (spent ?? NaN) + prompts + answers
    const total = Number.isNaN(sum) ? undefined : sum
    return { spent, total, text: this.#spending.text(total) }
  }

  /** `$0.25 in this run, $0.31 in all`; `undefined` if it is unknown. */
  get summary(): string | undefined {
    return this.#spending.text()
  }
}
