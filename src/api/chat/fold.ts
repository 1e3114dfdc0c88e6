/** Puts streamed chunks together to the answer that the service would have given whole, unknown keys included. */

import { isObject, type Json, type JsonObject } from '../../fields/json.ts'
import { CallNumbers } from './call-numbers.ts'

interface Choice {
  index: number
  message: JsonObject
  calls: Map<number, JsonObject>
  callNumbers: CallNumbers
  finish_reason: Json
  /** Whatever else the choice held. */
  rest: JsonObject
}

/** @param chunks Of one answer, in the order in which they came. */
export function foldChat(chunks: readonly JsonObject[]): JsonObject {
  const answer: JsonObject = {}
  const choices = new Map<number, Choice>()
  for (const { choices: parts, ...head } of chunks) {
    for (const [key, value] of Object.entries(head)) {
      if (value !== null || !Object.hasOwn(answer, key)) answer[key] = value
    }
    for (const part of Array.isArray(parts) ? parts.filter(isObject) : []) foldChoice(choices, part)
  }
  const { usage, ...head } = { ...answer, object: 'chat.completion' } as JsonObject
  const folded = [...choices.values()].sort((a, b) => a.index - b.index).map(finishChoice)
  return { ...head, choices: folded, ...(usage !== undefined && { usage }) }
}

function foldChoice(choices: Map<number, Choice>, part: JsonObject): void {
  const { index, delta, finish_reason: reason, ...rest } = part
  const number = typeof index === 'number' ? index : 0
  const choice = choices.get(number) ?? newChoice(number)
  choices.set(number, choice)
  if (isObject(delta)) {
    const { tool_calls: pieces, ...message } = delta
    merge(choice.message, message)
    for (const [call, piece] of choice.callNumbers.assign(pieces)) {
      const whole = choice.calls.get(call) ?? {}
      choice.calls.set(call, whole)
      merge(whole, piece)
    }
  }
  if (reason !== undefined && reason !== null) choice.finish_reason = reason
  merge(choice.rest, rest)
}

function newChoice(index: number): Choice {
  return { index, message: {}, calls: new Map(), callNumbers: new CallNumbers(), finish_reason: null, rest: {} }
}

function finishChoice({ index, message, calls, finish_reason, rest }: Choice): JsonObject {
  const { role, content, ...others } = message
  const whole: JsonObject = { role: role ?? 'assistant', content: content ?? null, ...others }
  if (calls.size > 0)
    whole.tool_calls = [...calls].sort(([a], [b]) => a - b).map(([, call], at) => finishCall(call, at))
  return { index, message: whole, ...rest, finish_reason }
}

/** The index was only there to tell the pieces apart; an id that never came is made, for the tool's answer to name. */
function finishCall({ index: _index, id, type, ...rest }: JsonObject, position: number): JsonObject {
  return { id: id || `call_${position}`, type: type || 'function', ...rest }
}

/** Texts that come once and not in pieces, however often they are repeated. */
const repeated = new Set(['role', 'id', 'type', 'name'])

/** Adds what a delta holds: texts and arrays grow, objects merge, the rest is replaced. */
function merge(whole: JsonObject, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    // A key such as `constructor` or `__proto__` must not find, and change, what every object inherits.
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined
    if (before === undefined || before === null) whole[key] = own(value)
    else if (value === null) continue
    else if (typeof value === 'string' && typeof before === 'string') {
      if (!repeated.has(key)) whole[key] = before + value
      else if (before === '') whole[key] = value
    } else if (Array.isArray(value) && Array.isArray(before)) before.push(...value)
    else if (isObject(value) && isObject(before)) merge(before, value)
    else whole[key] = value
  }
}

/** A copy to grow, so that the chunk stays as it came. */
function own(value: Json): Json {
  return typeof value === 'object' ? structuredClone(value) : value
}
