/** Tokens and their cost, as people read them, also in errors. */

import { UsageError } from '../errors.ts'
import { grouped } from '../io/text/plural.ts'
import type { Usage } from '../stream/delta.ts'

/** A rough estimate. */
export const charactersPerToken = 4

/** `$0.0012`, `$1.00`, `$12.35`: two digits at least. @param cost In dollars; a product of prices may be beyond numbers. */
export function costText(cost: number): string {
  if (!Number.isFinite(cost)) return 'an unknown cost'
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
