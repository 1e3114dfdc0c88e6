/** What cuts an answer short: stop texts, budgets of tokens, banned tokens. */

import type { JsonObject } from '../../io/json.ts'
import { Refusal } from '../refusal.ts'
import { tokenId, tokenize } from '../tokens.ts'

export interface Limits {
  /** Texts that end the answer before them. */
  readonly stop: readonly string[]
  /** Longest answer in tokens, reasoning not included. */
  readonly answerTokens: number
  /** Longest answer in tokens, reasoning included. */
  readonly totalTokens: number
  /** Ids of tokens that may not occur: a `logit_bias` of -100. Other biases have nothing to act on here. */
  readonly banned: ReadonlySet<number>
}

export const noLimits: Limits = { stop: [], answerTokens: Infinity, totalTokens: Infinity, banned: new Set() }

/** The fields that chat and text completions share. */
interface Limiting {
  readonly stop?: string | unknown[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly logit_bias?: JsonObject
  readonly n?: number
}

/** So that one request can't fill the memory; the specification states no highest number. */
const mostChoices = 128

export function readLimits(request: Limiting): Limits {
  const stop = request.stop ?? []
  const biases = Object.entries(request.logit_bias ?? {})
  return {
    stop: typeof stop === 'string' ? [stop] : (stop as string[]),
    answerTokens: request.max_tokens ?? Infinity,
    totalTokens: request.max_completion_tokens ?? Infinity,
    banned: new Set(biases.flatMap(([id, bias]) => (bias === -100 ? [Number(id)] : []))),
  }
}

/** @throws Refusal for more choices than the sandbox gives. */
export function readChoiceCount({ n = 1 }: Limiting): number {
  if (n <= mostChoices) return n
  throw new Refusal(400, `$.n: ${n} is not accepted; the sandbox gives at most ${mostChoices} choices`)
}

export interface CutText {
  readonly text: readonly string[]
  readonly finish: 'stop' | 'length'
  /** The stop text that ended the answer. */
  readonly stoppedAt: string | undefined
}

/** Ends a text before the first stop text, then after so many tokens. */
export function cutText(written: string, { stop, banned }: Limits, room: number): CutText {
  const allowed = tokenize(written).filter((token) => !banned.has(tokenId(token)))
  const text = allowed.join('')
  const cuts = stop.filter((end) => end !== '').map((end) => ({ end, at: text.indexOf(end) }))
  const [first] = cuts.filter(({ at }) => at !== -1).toSorted((a, b) => a.at - b.at)
  const tokens = first ? tokenize(text.slice(0, first.at)) : allowed
  if (tokens.length > room) return { text: tokens.slice(0, room), finish: 'length', stoppedAt: undefined }
  return { text: tokens, finish: 'stop', stoppedAt: first?.end }
}
