/** The entry that ends an answer. */

import type { JsonObject } from '../io/json.ts'
import type { Usage } from '../stream/delta.ts'
import type { EndEntry } from './entry.ts'
import type { Gathered } from './gathered.ts'

/** @param error Why the answer is not whole. */
export function ending(answer: string, gathered: Gathered, error: string | undefined, at: string): EndEntry {
  const { model, usage } = gathered
  return {
    type: 'end',
    at,
    answer,
    ...(model !== undefined && { model }),
    choices: gathered.choices(),
    ...(usage && { usage: usageOf(usage) }),
    ...(error !== undefined && { error }),
  }
}

/** As the service counts (section 2.1). */
function usageOf({ promptTokens, completionTokens }: Usage): JsonObject {
  return {
    ...(promptTokens !== undefined && { prompt_tokens: promptTokens }),
    ...(completionTokens !== undefined && { completion_tokens: completionTokens }),
  }
}
