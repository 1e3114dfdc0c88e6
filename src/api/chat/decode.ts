/** From chat completion chunks (section 2.1) to deltas. Requires little: only what is there and has the right type counts. */

import { isObject, type Json, type JsonObject } from '../../fields/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import type { Delta, TokenProbability } from '../../stream/delta.ts'
import { decodeUsage } from '../usage.ts'
import { CallNumbers } from './call-numbers.ts'

export function createChatDecoder(): Decoder {
  let hasStarted = false
  const callNumbers = new Map<number, CallNumbers>()

  function decode(chunk: JsonObject, isWhole: boolean): Delta[] {
    const deltas: Delta[] = []
    // Not every service names the model in its first chunk.
    if (!hasStarted && (isText(chunk.id) || isText(chunk.model))) {
      hasStarted = true
      deltas.push({ type: 'start', ...named('id', chunk.id), ...named('model', chunk.model) })
    }
    for (const [position, choice] of objects(chunk.choices).entries()) {
      const index = typeof choice.index === 'number' ? choice.index : isWhole ? position : 0
      const message = isObject(choice.delta) ? choice.delta : choice.message
      if (isObject(message)) decodeMessage(message, index, numbersOf(index), deltas)
      const tokens = decodeLogprobs(choice.logprobs)
      if (tokens.length > 0) deltas.push({ type: 'logprobs', index, tokens })
      const reason = choice.finish_reason
      if (typeof reason === 'string' && reason !== '') deltas.push({ type: 'end', index, reason })
      else if (isWhole) deltas.push({ type: 'end', index, reason: 'stop' })
    }
    const usage = decodeUsage(chunk.usage)
    if (usage) deltas.push({ type: 'usage', usage })
    return deltas
  }

  function numbersOf(index: number): CallNumbers {
    const numbers = callNumbers.get(index) ?? new CallNumbers()
    callNumbers.set(index, numbers)
    return numbers
  }

  return {
    decodeChunk: (chunk) => decode(chunk, false),
    decodeWhole: (answer) => decode(answer, true),
  }
}

function decodeMessage(message: JsonObject, index: number, numbers: CallNumbers, deltas: Delta[]): void {
  // Services name it either way; where both are there they hold the same, or one is empty.
  const reasoning = isText(message.reasoning_content) ? message.reasoning_content : message.reasoning
  if (isText(reasoning)) deltas.push({ type: 'reasoning', index, text: reasoning })
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
}

function calledParts(called: JsonObject): { name?: string; arguments?: string } {
  return { ...named('name', called.name), ...named('arguments', called.arguments) }
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objects(content)
    .map((part) => (isText(part.text) ? part.text : ''))
    .join('')
}

/** `{"content":[{"token":"Hi","logprob":-0.1,…}]}` */
function decodeLogprobs(logprobs: Json | undefined): TokenProbability[] {
  if (!isObject(logprobs)) return []
  return objects(logprobs.content).flatMap(({ token, logprob }) =>
    typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob }] : [],
  )
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function named<Name extends string>(name: Name, value: Json | undefined): { [N in Name]?: string } {
  return (isText(value) ? { [name]: value } : {}) as { [N in Name]?: string }
}
