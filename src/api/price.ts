/** What tokens cost, where the models list tells it. */

import type { Usage } from '../stream/delta.ts'
import { modelsNamed, type Model } from './models.ts'

/**
 * The cost of an answer in the currency of the list.
 * @param names What the model may be called: as requested, and as served.
 * @returns nothing when no row of these names has a price.
 */
export function costOf(
  list: readonly Model[],
  names: readonly (string | undefined)[],
  usage: Usage,
): number | undefined {
  const price = modelsNamed(list, names).find((model) => model.price)?.price
  if (!price) return undefined
  return price.prompt * (usage.promptTokens ?? 0) + price.completion * (usage.completionTokens ?? 0)
}
