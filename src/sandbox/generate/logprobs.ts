/** Log probabilities: made up, but plausible, and the same for the same token. */

import type { JsonObject } from '../../io/json.ts'
import { hash } from '../chance.ts'

const otherTokens = [
  ' the',
  ' a',
  '.',
  ',',
  ' and',
  ' of',
  ' to',
  '\n',
  ' in',
  ' is',
  ' it',
  ' that',
  ' so',
  ' I',
  ' we',
]

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

/** The form of chat completions. */
export function chatLogprobs(tokens: readonly string[], alternatives: number): JsonObject {
  const content = tokens.map((token) => {
    const chances = tokenChances(token, alternatives)
    return {
      ...chatEntry(chances[0] as TokenChance),
      top_logprobs: chances.slice(0, alternatives).map(chatEntry),
    }
  })
  return { content }
}

function chatEntry({ token, logprob }: TokenChance): JsonObject {
  return { token, logprob, bytes: [...Buffer.from(token)] }
}

function log(probability: number): number {
  return Math.round(Math.log(probability) * 1e6) / 1e6
}
