/** What the answers of a chat have taken, all together. */

import { costOf, type Model } from '../api/models.ts'
import type { Usage } from '../stream/delta.ts'

interface Counted {
  readonly models: readonly (string | undefined)[]
  readonly usage: Usage
}

export class Tally {
  readonly #counted: Counted[] = []
  /** The tokens of the conversation as far as it is known: what the last answer read and wrote. */
  held = 0

  /** @param models The names under which the model may stand in the list. */
  add(models: Counted['models'], usage: Usage): void {
    this.#counted.push({ models, usage })
    this.held = (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0)
  }

  /** @param list For what they cost. */
  text(list: readonly Model[]): string {
    if (this.#counted.length === 0) return 'no tokens were counted yet'
    const sum = (pick: (usage: Usage) => number | undefined): number =>
      this.#counted.reduce((total, { usage }) => total + (pick(usage) ?? 0), 0)
    const costs = this.#counted.map(({ models, usage }) => costOf(list, models, usage))
    const cost = costs.every((one) => one !== undefined) ? costs.reduce((total, one) => total + one, 0) : undefined
    const answers = this.#counted.length === 1 ? '1 answer' : `${this.#counted.length} answers`
    return [
      answers,
      `${sum((usage) => usage.promptTokens)} prompt + ${sum((usage) => usage.completionTokens)} completion tokens`,
      ...(cost === undefined ? [] : [`$${cost.toPrecision(2)}`]),
    ].join(' · ')
  }
}
