/** Code shared by chat and text completions: the limits of a request, and replies with choices, whole or streamed. */

import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import type { Answer } from './endpoint.ts'
import { streamEnd, type SandboxEvent } from './event-stream.ts'
import { usedTokens, type Limits, type MadeAnswer } from './generate/answer.ts'
import { HttpError } from './http-error.ts'
import type { SandboxModel } from './models.ts'

/** The fields that both requests have. */
interface ChoiceRequest {
  readonly n?: number
  readonly stop?: string | unknown[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly logit_bias?: JsonObject
  readonly stream?: boolean
  readonly stream_options?: JsonObject
}

/** Limits the memory that one request can use; the specification states no maximum. */
const maxChoices = 128

/** @throws HttpError for too many choices. */
export function readLimits(request: ChoiceRequest): { count: number; limits: Limits } {
  const { n: count = 1, stop = [], logit_bias: biases = {} } = request
  if (count > maxChoices) {
    throw new HttpError(400, `$.n: ${count} is not accepted; the sandbox returns at most ${maxChoices} choices`)
  }
  const limits = {
    stop: typeof stop === 'string' ? [stop] : (stop as string[]),
    answerTokens: request.max_tokens ?? Infinity,
    totalTokens: request.max_completion_tokens ?? Infinity,
    banned: new Set(Object.keys(biases).flatMap((id) => (biases[id] === -100 ? [Number(id)] : []))),
  }
  return { count, limits }
}

/** How an API family writes a choice. Its index, and a `finish_reason` of null, are added to each chunk. */
export interface ChoiceFormat<A extends MadeAnswer> {
  readonly idPrefix: string
  readonly object: string
  readonly chunkObject: string
  whole(answer: A): JsonObject
  /** The first chunk of each choice, in families that have one. */
  readonly start?: JsonObject
  tokens(answer: A): Iterable<JsonObject>
  end(answer: A): JsonObject
}

interface ChoicesReply<A extends MadeAnswer> {
  readonly request: ChoiceRequest
  readonly model: SandboxModel
  readonly promptTokens: number
  readonly answers: readonly A[]
  readonly account: Account
}

/** Charges the account, and builds the reply, whole or streamed as requested. */
export function replyWithChoices<A extends MadeAnswer>(reply: ChoicesReply<A>, format: ChoiceFormat<A>): Answer {
  const { request, model, promptTokens, answers, account } = reply
  const { reasoning, all } = usedTokens(answers)
  account.charge(model.prices, promptTokens, all)
  const details = reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens + all, completion_tokens: all, ...details }
  const head = {
    id: `${format.idPrefix}-${randomUUID()}`,
    object: request.stream ? format.chunkObject : format.object,
    created: Math.floor(account.now() / 1000),
    model: model.servedAs,
  }
  if (request.stream) {
    const hasUsageChunk = request.stream_options?.['include_usage'] === true
    return { events: choiceChunks(head, answers, format, usage, hasUsageChunk) }
  }
  const choices = answers.map((answer) => ({ index: answer.index, ...format.whole(answer) }))
  return { json: { ...head, choices, usage } }
}

/**
 * Yields the tokens of all choices interleaved, then the end of each (section 4, note 5).
 * @param hasUsageChunk Whether usage has a chunk of its own (`stream_options.include_usage`); otherwise it is in the last
 *   chunk of the last choice.
 */
function* choiceChunks<A extends MadeAnswer>(
  head: JsonObject,
  answers: readonly A[],
  format: ChoiceFormat<A>,
  usage: JsonObject,
  hasUsageChunk: boolean,
): Generator<SandboxEvent> {
  // The same in all chunks, so written once: of a fast stream, JSON is the largest part of the work.
  const start = JSON.stringify(head).slice(0, -1)
  const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): string => {
    const end = JSON.stringify({ choices, ...more }).slice(1)
    return `${start},${end}`
  }
  const part = ({ index }: A, choice: JsonObject): JsonObject => ({ index, finish_reason: null, ...choice })
  for (const answer of format.start ? answers : []) yield { data: chunk([part(answer, format.start ?? {})]) }
  let running = answers.map((answer) => ({ answer, tokens: format.tokens(answer)[Symbol.iterator]() }))
  while (running.length > 0) {
    const steps = running.map((choice) => ({ choice, step: choice.tokens.next() }))
    for (const { choice, step } of steps) {
      if (!step.done) yield { data: chunk([part(choice.answer, step.value)]), isToken: true }
    }
    running = steps.filter(({ step }) => !step.done).map(({ choice }) => choice)
  }
  for (const [at, answer] of answers.entries()) {
    const isLast = at === answers.length - 1
    yield { data: chunk([part(answer, format.end(answer))], isLast && !hasUsageChunk ? { usage } : {}) }
  }
  if (hasUsageChunk) yield { data: chunk([], { usage }) }
  yield { data: streamEnd }
}
