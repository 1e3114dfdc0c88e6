/** What chat and text completions share: the limits of a request, and a reply of choices, whole or streamed. */

import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../io/json.ts'
import type { Account } from './account.ts'
import type { Answer } from './endpoint.ts'
import { streamEnd, type SandboxEvent } from './event-stream.ts'
import { spentTokens, type Limits, type MadeAnswer } from './generate/answer.ts'
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

/** So that one request can't fill the memory; the specification states no highest number. */
const mostChoices = 128

/** @throws HttpError for more choices than the sandbox gives. */
export function readLimits(request: ChoiceRequest): { count: number; limits: Limits } {
  const { n: count = 1, stop = [], logit_bias: biases = {} } = request
  if (count > mostChoices) {
    throw new HttpError(400, `$.n: ${count} is not accepted; the sandbox gives at most ${mostChoices} choices`)
  }
  const limits = {
    stop: typeof stop === 'string' ? [stop] : (stop as string[]),
    answerTokens: request.max_tokens ?? Infinity,
    totalTokens: request.max_completion_tokens ?? Infinity,
    banned: new Set(Object.keys(biases).flatMap((id) => (biases[id] === -100 ? [Number(id)] : []))),
  }
  return { count, limits }
}

/** How a family writes a choice; its index and a `finish_reason` of null are added. */
export interface ChoiceFormat<A extends MadeAnswer> {
  readonly idPrefix: string
  readonly object: string
  readonly chunkObject: string
  whole(answer: A): JsonObject
  /** Opens each choice of a stream, where the family has such a chunk. */
  readonly start?: JsonObject
  tokens(answer: A): Iterable<JsonObject>
  end(answer: A): JsonObject
}

interface Answered<A extends MadeAnswer> {
  readonly request: ChoiceRequest
  readonly model: SandboxModel
  readonly promptTokens: number
  readonly answers: readonly A[]
  readonly account: Account
}

/** Charges the account, and replies as the request asks: whole or streamed. */
export function replyWithChoices<A extends MadeAnswer>(answered: Answered<A>, format: ChoiceFormat<A>): Answer {
  const { request, model, promptTokens, answers, account } = answered
  const { reasoning, all } = spentTokens(answers)
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
 * The tokens of all choices side by side, then the end of each (section 4, note 5).
 * @param hasUsageChunk Whether usage comes in a chunk of its own, as `stream_options.include_usage` asks; otherwise the
 *   last choice's last chunk carries it.
 */
function* choiceChunks<A extends MadeAnswer>(
  head: JsonObject,
  answers: readonly A[],
  format: ChoiceFormat<A>,
  usage: JsonObject,
  hasUsageChunk: boolean,
): Generator<SandboxEvent> {
  const chunk = ({ index }: A, choice: JsonObject): JsonObject => {
    return { ...head, choices: [{ index, finish_reason: null, ...choice }] }
  }
  for (const answer of format.start ? answers : []) yield { data: chunk(answer, format.start ?? {}) }
  let running = answers.map((answer) => ({ answer, tokens: format.tokens(answer)[Symbol.iterator]() }))
  while (running.length > 0) {
    const steps = running.map((choice) => ({ choice, step: choice.tokens.next() }))
    for (const { choice, step } of steps) {
      if (!step.done) yield { data: chunk(choice.answer, step.value), isToken: true }
    }
    running = steps.filter(({ step }) => !step.done).map(({ choice }) => choice)
  }
  for (const [at, answer] of answers.entries()) {
    const isLast = at === answers.length - 1
    yield { data: { ...chunk(answer, format.end(answer)), ...(isLast && !hasUsageChunk ? { usage } : {}) } }
  }
  if (hasUsageChunk) yield { data: { ...head, choices: [], usage } }
  yield { data: streamEnd }
}
