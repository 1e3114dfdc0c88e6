/** What tokens cost, where the models list tells it. */

import { isObject, type Json } from '../fields/json.ts'
import type { Usage } from '../stream/delta.ts'

/**
 * The cost of an answer in the currency of the list.
 * @param list The reply of the models endpoint; rows of an odd shape are passed over.
 * @param names What the model may be called: as requested, and as served.
 * @returns nothing when no row of these names has a price.
 */
export function costOf(list: Json, names: readonly (string | undefined)[], usage: Usage): number | undefined {
  const rows = isObject(list) && Array.isArray(list.data) ? list.data.filter(isObject) : []
  const wanted = new Set(names.flatMap((name) => (name === undefined ? [] : [bare(name)])))
  for (const { id, hugging_face_id: target, pricing } of rows) {
    const isMeant = [id, target].some((name) => typeof name === 'string' && wanted.has(bare(name)))
    if (!isMeant || !isObject(pricing)) continue
    const prompt = price(pricing.prompt)
    const completion = price(pricing.completion)
    if (prompt === undefined || completion === undefined) continue
    return prompt * (usage.promptTokens ?? 0) + completion * (usage.completionTokens ?? 0)
  }
  return undefined
}

/** Served names may lack the prefix (section 2.1). */
function bare(name: string): string {
  return name.replace(/^hf:/, '')
}

/** A decimal string, with or without `$`. */
function price(value: Json | undefined): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const digits = String(value).trim().replace(/^\$/, '')
  const number = Number(digits)
  return digits !== '' && Number.isFinite(number) ? number : undefined
}
