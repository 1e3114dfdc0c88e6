/** The text completion response and its stream, section 2.2. */

import type { JsonObject } from '../../io/json.ts'
import { choiceChunks } from '../choice-chunks.ts'
import type { ServerEvent } from '../event-stream.ts'
import type { MadeAnswer } from '../generate/answer.ts'
import { textLogprobs } from '../generate/logprobs.ts'

export interface Completion extends MadeAnswer {
  /** Tokens of the prompt, when it is to be given back before the completion. */
  readonly echoed: readonly string[]
}

export interface CompletionsReply {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly completions: readonly Completion[]
  readonly usage: JsonObject
  readonly alternatives: number | undefined
}

export function wholeCompletions(reply: CompletionsReply): JsonObject {
  const choices = reply.completions.map(({ index, text, finish, echoed }) => ({
    index,
    text: [...echoed, ...text].join(''),
    logprobs: logprobsOf([...echoed, ...text], 0, echoed.length > 0, reply),
    finish_reason: finish,
  }))
  return { ...headOf(reply), choices, usage: reply.usage }
}

export function completionChunks(reply: CompletionsReply, hasUsageChunk: boolean): Generator<ServerEvent> {
  const { completions, usage } = reply
  const tokens = completions.map((completion) => tokenChoices(completion, reply))
  const ends = completions.map(({ index, finish }) => ({ text: '', index, logprobs: null, finish_reason: finish }))
  return choiceChunks(headOf(reply), tokens, ends, usage, hasUsageChunk)
}

function headOf({ id, created, model }: CompletionsReply): JsonObject {
  return { id, object: 'text_completion', created, model }
}

function* tokenChoices({ index, text, echoed }: Completion, reply: CompletionsReply): Generator<JsonObject> {
  let offset = 0
  for (const [position, token] of [...echoed, ...text].entries()) {
    const logprobs = logprobsOf([token], offset, position === 0 && echoed.length > 0, reply)
    yield { text: token, index, logprobs }
    offset += token.length
  }
}

function logprobsOf(
  tokens: readonly string[],
  offset: number,
  isStart: boolean,
  { alternatives }: CompletionsReply,
): JsonObject | null {
  return alternatives === undefined ? null : textLogprobs(tokens, { alternatives, offset, isStart })
}
