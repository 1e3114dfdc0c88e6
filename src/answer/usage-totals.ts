/** The tokens of several answers, and what they cost. */

import { costOf, type Model, priceNamed } from '../api/models.ts'
import type { AnswerNode } from '../conversation/conversation.ts'
import { pluralize } from '../io/text/plural.ts'
import { addUsage, decodeUsage, type Usage } from '../stream/delta.ts'
import { costText, tokenCounts } from './usage-text.ts'

type ModelNames = readonly (string | undefined)[]

export class UsageTotals {
  /** By the names of the model, which are few however long the conversation is. */
  readonly #byModel = new Map<string, { readonly names: ModelNames; readonly usage: Usage; readonly count: number }>()
  /** The tokens of the longest answer. */
  largest = 0

  /** Adds up the answers whose usage is stored. */
  static of(answers: readonly AnswerNode[]): UsageTotals {
    const totals = new UsageTotals()
    for (const { model, servedModel, usage } of answers) totals.add([model, servedModel], decodeUsage(usage))
    return totals
  }

  /** Adds an answer or several, if their usage is known. @param names One of them may be in the model list. */
  add(names: ModelNames, usage: Usage | undefined, count = 1): void {
    if (!usage) return
    if (count === 1) this.largest = Math.max(this.largest, usage.completionTokens ?? 0)
    const key = JSON.stringify(names)
    const known = this.#byModel.get(key)
    const sum = known ? addUsage(known.usage, usage) : usage
    this.#byModel.set(key, { names, usage: sum, count: count + (known?.count ?? 0) })
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
