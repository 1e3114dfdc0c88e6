/** The chat completion stream (section 4, note 5). */

import type { JsonObject } from '../../io/json.ts'
import { streamEnd, type ServerEvent } from '../event-stream.ts'
import type { MadeAnswer } from '../generate/answer.ts'
import { chatLogprobs } from '../generate/logprobs.ts'
import { takeTurns } from '../turns.ts'
import { finishReason, type ChatReply } from './whole.ts'

/**
 * @param hasUsageChunk Whether usage comes in a chunk of its own, as `stream_options.include_usage` asks; otherwise the
 *   last choice's last chunk carries it.
 */
export function* chatChunks(reply: ChatReply, hasUsageChunk: boolean): Generator<ServerEvent> {
  const { id, created, model, answers, usage, usesFunctions } = reply
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (choice: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...head,
    choices: [{ finish_reason: null, ...choice }],
    ...more,
  })
  for (const { index } of answers) yield { data: chunk({ index, delta: { role: 'assistant' } }) }
  for (const choice of takeTurns(answers.map((answer) => tokenChoices(answer, reply)))) {
    yield { data: chunk(choice), isToken: true }
  }
  for (const [position, answer] of answers.entries()) {
    const isLast = position === answers.length - 1
    const choice = { index: answer.index, delta: {}, finish_reason: finishReason(answer, usesFunctions) }
    yield { data: chunk(choice, isLast && !hasUsageChunk ? { usage } : {}) }
  }
  if (hasUsageChunk) yield { data: { ...head, choices: [], usage } }
  yield { data: streamEnd }
}

function* tokenChoices(answer: MadeAnswer, { usesFunctions, alternatives }: ChatReply): Generator<JsonObject> {
  const { index } = answer
  for (const token of answer.reasoning) yield { index, delta: { reasoning_content: token } }
  for (const token of answer.text) {
    const choice: JsonObject = { index, delta: { content: token } }
    if (alternatives !== undefined) choice['logprobs'] = chatLogprobs([token], alternatives)
    yield choice
  }
  if (usesFunctions) yield* functionChoices(answer)
  else yield* toolChoices(answer)
}

function* toolChoices({ index, calls }: MadeAnswer): Generator<JsonObject> {
  for (const [call, { id, name, arguments: tokens }] of calls.entries()) {
    const opening = { index: call, id, type: 'function', function: { name, arguments: '' } }
    yield { index, delta: { tool_calls: [opening] } }
    for (const token of tokens) {
      yield { index, delta: { tool_calls: [{ index: call, function: { arguments: token } }] } }
    }
  }
}

function* functionChoices({ index, calls: [call] }: MadeAnswer): Generator<JsonObject> {
  if (!call) return
  yield { index, delta: { function_call: { name: call.name, arguments: '' } } }
  for (const token of call.arguments) yield { index, delta: { function_call: { arguments: token } } }
}
