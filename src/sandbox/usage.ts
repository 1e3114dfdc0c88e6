import type { JsonObject } from '../io/json.ts'
import type { Spent } from './generate/answer.ts'

/** The `usage` of chat and text completions. */
export function usageOf(promptTokens: number, spent: Spent): JsonObject {
  const usage: JsonObject = {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + spent.all,
    completion_tokens: spent.all,
  }
  if (spent.reasoning > 0) usage['completion_tokens_details'] = { reasoning_tokens: spent.reasoning }
  return usage
}
