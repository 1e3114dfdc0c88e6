import type { Json, JsonObject } from '../../io/json.ts'
import { tokenChances } from '../generate/logprobs.ts'

interface Place {
  readonly alternatives: number
  /** Where the first token stands in the choice's text. */
  readonly offset: number
  /** Whether the first token opens an echoed prompt: nothing precedes it, so it has no probability. */
  readonly isStart: boolean
}

/** The form of text completions: parallel lists. */
export function textLogprobs(tokens: readonly string[], { alternatives, offset, isStart }: Place): JsonObject {
  const logprobs: JsonObject = { tokens: [...tokens], token_logprobs: [], top_logprobs: [], text_offset: [] }
  const add = (list: string, value: Json): void => void (logprobs[list] as Json[]).push(value)
  let at = offset
  for (const [position, token] of tokens.entries()) {
    const isFirst = isStart && position === 0
    const chances = tokenChances(token, alternatives)
    const entries = chances.slice(0, Math.max(0, alternatives)).map((chance) => [chance.token, chance.logprob])
    add('token_logprobs', isFirst ? null : (chances[0]?.logprob ?? null))
    add('top_logprobs', isFirst ? null : (Object.fromEntries(entries) as JsonObject))
    add('text_offset', at)
    at += token.length
  }
  return logprobs
}
