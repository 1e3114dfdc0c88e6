/** From chat completion chunks (section 2.1) to deltas. */

import { isObject, objectsIn, type Json, type JsonObject } from '../../io/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import type { Delta, TokenProbability } from '../../stream/delta.ts'
import { createChoiceDecoder, decodeReasoning, isText, named } from '../decode-choices.ts'
import { CallNumbers } from './call-numbers.ts'

export function createChatDecoder(): Decoder {
  const callNumbers = new Map<number, CallNumbers>()

  function numbersOf(index: number): CallNumbers {
    const numbers = callNumbers.get(index) ?? new CallNumbers()
    callNumbers.set(index, numbers)
    return numbers
  }

  return createChoiceDecoder((choice, index) => {
    const message = isObject(choice.delta) ? choice.delta : choice.message
    const deltas = isObject(message) ? decodeMessage(message, index, numbersOf(index)) : []
    const tokens = decodeLogprobs(choice.logprobs)
    return tokens.length > 0 ? [...deltas, { type: 'logprobs', index, tokens }] : deltas
  })
}

function decodeMessage(message: JsonObject, index: number, numbers: CallNumbers): Delta[] {
  const deltas = decodeReasoning(message, index)
  const text = contentText(message.content)
  if (text !== '') deltas.push({ type: 'text', index, text })
  if (isText(message.refusal)) deltas.push({ type: 'refusal', index, text: message.refusal })
  for (const [call, piece] of numbers.assign(message.tool_calls)) {
    const called = isObject(piece.function) ? piece.function : {}
    deltas.push({ type: 'tool', index, call, ...named('id', piece.id), ...calledParts(called) })
  }
  if (isObject(message.function_call)) {
    deltas.push({ type: 'tool', index, call: 0, ...calledParts(message.function_call) })
  }
  return deltas
}

function calledParts(called: JsonObject): { name?: string; arguments?: string } {
  return { ...named('name', called.name), ...named('arguments', called.arguments) }
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map((part) => (isText(part.text) ? part.text : ''))
    .join('')
}

/** `{"content":[{"token":"Hi","logprob":-0.1,…}]}` */
function decodeLogprobs(logprobs: Json | undefined): TokenProbability[] {
  if (!isObject(logprobs)) return []
  return objectsIn(logprobs.content).flatMap(({ token, logprob }) =>
    typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob }] : [],
  )
}
