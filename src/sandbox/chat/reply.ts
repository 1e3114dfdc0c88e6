/** The chat completion response (section 2.1) and its stream (section 4, note 5). */

import type { JsonObject } from '../../io/json.ts'
import { choiceChunks } from '../choice-chunks.ts'
import type { ServerEvent } from '../event-stream.ts'
import type { MadeAnswer } from '../generate/answer.ts'
import { chatLogprobs } from '../generate/logprobs.ts'

export interface ChatReply {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly answers: readonly MadeAnswer[]
  readonly usage: JsonObject
  /** Whether calls take the form of the deprecated `functions`. */
  readonly usesFunctions: boolean
  /** Number of alternatives for each token; undefined when no log probabilities were requested. */
  readonly alternatives: number | undefined
}

export function wholeAnswer(reply: ChatReply): JsonObject {
  const { id, created, model, usage } = reply
  const choices = reply.answers.map((answer) => wholeChoice(answer, reply))
  return { id, object: 'chat.completion', created, model, choices, usage }
}

function wholeChoice(answer: MadeAnswer, { usesFunctions, alternatives }: ChatReply): JsonObject {
  const message: JsonObject = { role: 'assistant', content: answer.text.join('') }
  if (answer.reasoning.length > 0) message['reasoning_content'] = answer.reasoning.join('')
  const calls = answer.calls.map(({ id, name, arguments: tokens }) => ({
    id,
    type: 'function',
    function: { name, arguments: tokens.join('') },
  }))
  if (calls[0]) {
    message['content'] = null
    if (usesFunctions) message['function_call'] = calls[0].function
    else message['tool_calls'] = calls
  }
  const choice: JsonObject = { index: answer.index, message, finish_reason: finishReason(answer, usesFunctions) }
  if (alternatives !== undefined) choice['logprobs'] = chatLogprobs(answer.text, alternatives)
  return choice
}

/** `tool_calls` is called `function_call` where functions were offered instead of tools. */
function finishReason({ finish }: MadeAnswer, usesFunctions: boolean): string {
  return finish === 'tool_calls' && usesFunctions ? 'function_call' : finish
}

export function* chatChunks(reply: ChatReply, hasUsageChunk: boolean): Generator<ServerEvent> {
  const { id, created, model, answers, usage, usesFunctions } = reply
  const head = { id, object: 'chat.completion.chunk', created, model }
  for (const { index } of answers) {
    yield { data: { ...head, choices: [{ index, delta: { role: 'assistant' }, finish_reason: null }] } }
  }
  const tokens = answers.map((answer) => tokenChoices(answer, reply))
  const ends = answers.map((answer) => {
    return { index: answer.index, delta: {}, finish_reason: finishReason(answer, usesFunctions) }
  })
  yield* choiceChunks(head, tokens, ends, usage, hasUsageChunk)
}

function* tokenChoices(answer: MadeAnswer, { usesFunctions, alternatives }: ChatReply): Generator<JsonObject> {
  const { index } = answer
  for (const token of answer.reasoning) yield { index, delta: { reasoning_content: token } }
  for (const token of answer.text) {
    const choice: JsonObject = { index, delta: { content: token } }
    if (alternatives !== undefined) choice['logprobs'] = chatLogprobs([token], alternatives)
    yield choice
  }
  for (const delta of usesFunctions ? functionDeltas(answer) : toolDeltas(answer)) yield { index, delta }
}

function* toolDeltas({ calls }: MadeAnswer): Generator<JsonObject> {
  for (const [index, { id, name, arguments: tokens }] of calls.entries()) {
    yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }
    for (const token of tokens) yield { tool_calls: [{ index, function: { arguments: token } }] }
  }
}

function* functionDeltas({ calls: [call] }: MadeAnswer): Generator<JsonObject> {
  if (!call) return
  yield { function_call: { name: call.name, arguments: '' } }
  for (const token of call.arguments) yield { function_call: { arguments: token } }
}
