/** Generates log probabilities: plausible, and the same for the same token. */

import type { JsonObject } from '../../io/json/json.ts'
import { hash } from '../tokens.ts'

const otherTokens = ' the| a|.|,| and| of| to|\n| in| is| it| that| so| I| we'.split('|')

interface TokenChance {
  readonly token: string
  readonly logprob: number
}

/** The token, then less probable ones; all probabilities together are less than 1. */
function tokenChances(token: string, alternatives: number): TokenChance[] {
  const seed = hash(token)
  const probability = 0.55 + (seed % 4000) / 10_000
  const others = otherTokens.filter((other) => other !== token)
  const start = seed % others.length
  const order = [...others.slice(start), ...others.slice(0, start)].slice(0, Math.max(0, alternatives - 1))
  // Each alternative gets half of the remaining probability.
  const chances = order.map((other, rank) => ({ token: other, logprob: log((1 - probability) / 2 ** (rank + 1)) }))
  return [{ token, logprob: log(probability) }, ...chances]
}

function log(probability: number): number {
  return Math.round(Math.log(probability) * 1e6) / 1e6
}

/** In the format of chat completions. */
export function chatLogprobs(tokens: readonly string[], alternatives: number): JsonObject {
  const content = tokens.map((token) => {
    const entries = tokenChances(token, alternatives).map((chance) => ({
      ...chance,
      bytes: [...Buffer.from(chance.token)],
    }))
    return { ...entries[0], top_logprobs: entries.slice(0, alternatives) }
  })
  return { content }
}

interface TextPosition {
  readonly alternatives: number
  /** Offset of the first token in the choice's text. */
  readonly offset: number
  /** Whether the first token starts an echoed prompt: nothing precedes it, so it has no probability. */
  readonly isStart: boolean
}

/** In the format of text completions: parallel lists. */
export function textLogprobs(tokens: readonly string[], { alternatives, offset, isStart }: TextPosition): JsonObject {
  let end = offset
  const chances = tokens.map((token, at) => (isStart && at === 0 ? undefined : tokenChances(token, alternatives)))
  return {
    tokens: [...tokens],
    token_logprobs: chances.map((list) => list?.[0]?.logprob ?? null),
    top_logprobs: chances.map((list) => {
      if (!list) return null
      return Object.fromEntries(list.slice(0, Math.max(0, alternatives)).map(({ token, logprob }) => [token, logprob]))
    }),
    text_offset: tokens.map((token) => (end += token.length) - token.length),
  }
}
