/** The total tokens and cost of a chat or a conversation. */

import { costOf, type Model } from '../api/models.ts'
import { costText, tokenCounts } from '../answer/meter.ts'
import type { AnswerNode } from '../conversation/conversation.ts'
import { pluralize } from '../io/text/plural.ts'
import { addUsage, decodeUsage, type Usage } from '../stream/delta.ts'

type ModelNames = readonly (string | undefined)[]

export class UsageTotals {
  /** By the names of the model, which are few however long the conversation is. */
  readonly #byModel = new Map<string, { readonly names: ModelNames; readonly usage: Usage }>()
  #count = 0

  /** Those of the answers whose usage is stored. */
  static of(answers: readonly AnswerNode[]): UsageTotals {
    const totals = new UsageTotals()
    for (const { model, servedModel, usage } of answers) {
      const decoded = decodeUsage(usage)
      if (decoded) totals.add([model, servedModel], decoded)
    }
    return totals
  }

  /** @param names Names of the model, one of which may be in the model list. */
  add(names: ModelNames, usage: Usage): void {
    const key = JSON.stringify(names)
    const known = this.#byModel.get(key)
    this.#byModel.set(key, { names, usage: known ? addUsage(known.usage, usage) : usage })
    this.#count++
  }

  /** `undefined` before the first answer. */
  get usage(): Usage | undefined {
    const usages = [...this.#byModel.values()].map(({ usage }) => usage)
    return usages.length === 0 ? undefined : usages.reduce(addUsage)
  }

  /** The cost in dollars by the prices of the list; `undefined` if that of an answer is unknown. */
  cost(list: readonly Model[]): number | undefined {
    const costs = [...this.#byModel.values()].map(({ names, usage }) => costOf(list, names, usage))
    return costs.every((one) => one !== undefined) ? costs.reduce((total, one) => total + one, 0) : undefined
  }

  summary(list: readonly Model[]): string {
    const { usage } = this
    if (usage === undefined) return 'no token counts yet'
    const cost = this.cost(list)
    const costs = cost === undefined ? [] : [costText(cost)]
    return [pluralize(this.#count, 'answer'), tokenCounts(usage), ...costs].join(' · ')
  }
}
