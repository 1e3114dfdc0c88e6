import { isObject, type Json } from '../io/json.ts'
import type { Usage } from '../stream/delta.ts'

/** The token counts of the chat, text and messages families. */
export function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const promptTokens = count(usage.prompt_tokens) ?? count(usage.input_tokens)
  const completionTokens = count(usage.completion_tokens) ?? count(usage.output_tokens)
  if (promptTokens === undefined && completionTokens === undefined) return undefined
  return { promptTokens, completionTokens }
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
