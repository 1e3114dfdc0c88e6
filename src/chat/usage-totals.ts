/** The total tokens and cost of a chat. */

import { costOf, type Model } from '../api/models.ts'
import { tokenCounts } from '../answer/meter.ts'
import { addUsage, type Usage } from '../stream/delta.ts'

interface AnswerUsage {
  readonly models: readonly (string | undefined)[]
  readonly usage: Usage
}

export class UsageTotals {
  readonly #answers: AnswerUsage[] = []
  /** Prompt and completion tokens of the last answer, which is the size of the conversation; 0 if unknown. */
  contextTokens = 0

  /** @param models Names of the model, one of which may be in the model list. */
  add(models: AnswerUsage['models'], usage: Usage): void {
    this.#answers.push({ models, usage })
    this.contextTokens = (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0)
  }

  /** @param list The model list, with prices. */
  summary(list: readonly Model[]): string {
    if (this.#answers.length === 0) return 'no token counts yet'
    const costs = this.#answers.map(({ models, usage }) => costOf(list, models, usage))
    const cost = costs.every((one) => one !== undefined) ? costs.reduce((total, one) => total + one, 0) : undefined
    const answers = this.#answers.length === 1 ? '1 answer' : `${this.#answers.length} answers`
    return [
      answers,
      tokenCounts(this.#answers.map(({ usage }) => usage).reduce(addUsage)),
      ...(cost === undefined ? [] : [`$${cost.toPrecision(2)}`]),
    ].join(' · ')
  }
}
