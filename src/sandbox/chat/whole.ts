/** The chat completion response, section 2.1. */

import type { JsonObject } from '../../io/json.ts'
import type { MadeAnswer } from '../generate/answer.ts'
import { chatLogprobs } from '../generate/logprobs.ts'

export interface ChatReply {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly answers: readonly MadeAnswer[]
  readonly usage: JsonObject
  /** Whether calls are told in the deprecated form. */
  readonly usesFunctions: boolean
  /** How many alternatives to tell for each token; undefined when no log probabilities were asked for. */
  readonly alternatives: number | undefined
}

export function wholeAnswer(reply: ChatReply): JsonObject {
  const { id, created, model, usage } = reply
  const choices = reply.answers.map((answer) => wholeChoice(answer, reply))
  return { id, object: 'chat.completion', created, model, choices, usage }
}

/** `tool_calls` is called `function_call` where functions were offered instead of tools. */
export function finishReason({ finish }: MadeAnswer, usesFunctions: boolean): string {
  return finish === 'tool_calls' && usesFunctions ? 'function_call' : finish
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
