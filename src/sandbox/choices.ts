/** Shared by chat and text completions: the limits of a request, replies with choices, and log probabilities. */

import { randomUUID } from 'node:crypto'
import type { Values } from '../fields/field.ts'
import type { samplingFields } from '../fields/sampling.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import { usedTokens, type Limits, type MadeAnswer } from './generate/answer.ts'
import { type SandboxReply, notAccepted, type SandboxEvent } from './endpoint.ts'
import { servedName, type SandboxModel } from './models.ts'
import type { PromptTokens } from './prompt-cache.ts'
import { hash } from './tokens.ts'

/** The fields that both requests have. */
type ChoiceRequest = Values<typeof samplingFields>

/** Limits the memory that one request can use; the specification states no maximum. */
const maxChoices = 128

/** @throws HttpError for too many choices. */
export function readLimits(request: ChoiceRequest): { count: number; limits: Limits } {
  const { n: count = 1, stop = [] } = request
  if (count > maxChoices) throw notAccepted('$.n', count, `the sandbox returns at most ${maxChoices} choices`)
  const limits = {
    stop: [stop].flat() as string[],
    answerTokens: request.max_tokens,
    totalTokens: request.max_completion_tokens,
  }
  return { count, limits }
}

/** A choice, whole and as the chunks of a stream. Its index, and a `finish_reason` of null, are added to each chunk. */
export interface Choice {
  readonly answer: MadeAnswer
  readonly whole: JsonObject
  /** The first chunk, in dialects that have one. */
  readonly start?: JsonObject
  readonly tokens: Iterable<JsonObject>
  readonly end: JsonObject
}

/**
 * Charges the account, and builds the reply, whole or streamed as requested.
 * @param names What the API dialect calls its replies.
 */
export function replyWithChoices(
  choices: readonly Choice[],
  names: { idPrefix: string; whole: string; chunk: string },
  { request, model, promptTokens }: { request: ChoiceRequest; model: SandboxModel; promptTokens: PromptTokens },
  account: Account,
): SandboxReply {
  const { reasoning, all } = usedTokens(choices.map(({ answer }) => answer))
  const { all: prompt, cached } = promptTokens
  account.charge(model, { prompt: prompt - cached, input_cache_reads: cached, completion: all })
  const details: JsonObject = reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}
  if (cached > 0) details['prompt_tokens_details'] = { cached_tokens: cached }
  const usage = { prompt_tokens: prompt, total_tokens: prompt + all, completion_tokens: all, ...details }
  const head = {
    id: `${names.idPrefix}-${randomUUID()}`,
    object: request.stream ? names.chunk : names.whole,
    created: Math.floor(account.now() / 1000),
    model: servedName(model),
  }
  if (request.stream) {
    return { events: choiceChunks(head, choices, usage, request.stream_options?.['include_usage'] === true) }
  }
  return { json: { ...head, choices: choices.map(({ whole }, index) => ({ index, ...whole })), usage } }
}

/**
 * Yields the tokens of all choices interleaved, then the end of each (section 4, note 5).
 * @param hasUsageChunk Whether usage has a chunk of its own (`stream_options.include_usage`); otherwise it is in the last
 *   chunk of the last choice.
 */
function* choiceChunks(
  head: JsonObject,
  choices: readonly Choice[],
  usage: JsonObject,
  hasUsageChunk: boolean,
): Generator<SandboxEvent> {
  // The same in all chunks, so written once: of a fast stream, JSON is the largest part of the work.
  const start = JSON.stringify(head).slice(0, -1)
  const chunk = (parts: readonly JsonObject[], more: JsonObject = {}): string =>
    `${start},${JSON.stringify({ choices: parts, ...more }).slice(1)}`
  const part = (index: number, choice: JsonObject): JsonObject => ({ index, finish_reason: null, ...choice })
  for (const [index, choice] of choices.entries()) if (choice.start) yield { data: chunk([part(index, choice.start)]) }
  const running = new Map([...choices.entries()].map(([index, { tokens }]) => [index, tokens[Symbol.iterator]()]))
  while (running.size > 0) {
    for (const [index, tokens] of running) {
      const next = tokens.next()
      if (next.done) running.delete(index)
      else yield { data: chunk([part(index, next.value)]), isToken: true }
    }
  }
  for (const [index, { end }] of choices.entries()) {
    const isLast = index === choices.length - 1
    yield { data: chunk([part(index, end)], isLast && !hasUsageChunk ? { usage } : {}) }
  }
  if (hasUsageChunk) yield { data: chunk([], { usage }) }
  yield { data: '[DONE]' }
}

const otherTokens = ' the| a|.|,| and| of| to|\n| in| is| it| that| so| I| we'.split('|')

/** The token, then less probable ones, the same for the same token; all probabilities together are less than 1. */
function tokenChances(token: string, alternatives: number) {
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

/**
 * In the format of text completions: parallel lists.
 * @param offset Of the first token in the choice's text.
 * @param isStart Whether the first token starts an echoed prompt: nothing precedes it, so it has no probability.
 */
export function textLogprobs(
  tokens: readonly string[],
  alternatives: number,
  offset: number,
  isStart: boolean,
): JsonObject {
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
