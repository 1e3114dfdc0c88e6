/** Log probabilities: made up, but plausible, and the same for the same token. */

import type { JsonObject } from '../../io/json.ts'
import { hash } from '../tokens.ts'

const otherTokens = ' the| a|.|,| and| of| to|\n| in| is| it| that| so| I| we'.split('|')

export interface TokenChance {
  readonly token: string
  readonly logprob: number
}

/** The token itself first, then so many less probable ones; together they stay below a probability of 1. */
export function tokenChances(token: string, alternatives: number): TokenChance[] {
  const seed = hash(token)
  const probability = 0.55 + (seed % 4000) / 10_000
  const others = otherTokens.filter((other) => other !== token)
  const start = seed % others.length
  const order = [...others.slice(start), ...others.slice(0, start)].slice(0, Math.max(0, alternatives - 1))
  // Each alternative takes half of what is left.
  const chances = order.map((other, rank) => ({ token: other, logprob: log((1 - probability) / 2 ** (rank + 1)) }))
  return [{ token, logprob: log(probability) }, ...chances]
}

function log(probability: number): number {
  return Math.round(Math.log(probability) * 1e6) / 1e6
}

/** As chat completions have them. */
export function chatLogprobs(tokens: readonly string[], alternatives: number): JsonObject {
  const content = tokens.map((token) => {
    const [own, ...others] = tokenChances(token, alternatives).map(chatEntry) as [JsonObject, ...JsonObject[]]
    return { ...own, top_logprobs: [own, ...others].slice(0, alternatives) }
  })
  return { content }
}

function chatEntry({ token, logprob }: TokenChance): JsonObject {
  return { token, logprob, bytes: [...Buffer.from(token)] }
}

interface TextPosition {
  readonly alternatives: number
  /** Where the first token stands in the choice's text. */
  readonly offset: number
  /** Whether the first token opens an echoed prompt: nothing precedes it, so it has no probability. */
  readonly isStart: boolean
}

/** As text completions have them: parallel lists. */
export function textLogprobs(tokens: readonly string[], { alternatives, offset, isStart }: TextPosition): JsonObject {
  let end = offset
  const rows = tokens.map((token, at) => {
    const start = end
    end += token.length
    const chances = tokenChances(token, alternatives).map((chance) => [chance.token, chance.logprob] as const)
    if (isStart && at === 0) return { logprob: null, top: null, start }
    return {
      logprob: chances[0]?.[1] ?? null,
      top: Object.fromEntries(chances.slice(0, Math.max(0, alternatives))),
      start,
    }
  })
  return {
    tokens: [...tokens],
    token_logprobs: rows.map(({ logprob }) => logprob),
    top_logprobs: rows.map(({ top }) => top),
    text_offset: rows.map(({ start }) => start),
  }
}
