/** Puts streamed chunks together to the answer that the service would have given whole, unknown keys included. */

import { isObject, type Json, type JsonObject } from '../../fields/json.ts'

interface Choice {
  index: number
  message: JsonObject
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
      if (value !== null || !(key in answer)) answer[key] = value
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
  const choice = choices.get(number) ?? { index: number, message: {}, finish_reason: null, rest: {} }
  choices.set(number, choice)
  if (isObject(delta)) merge(choice.message, delta)
  if (reason !== undefined && reason !== null) choice.finish_reason = reason
  merge(choice.rest, rest)
}

function finishChoice({ index, message, finish_reason, rest }: Choice): JsonObject {
  const { role, content, tool_calls: calls, ...others } = message
  const whole: JsonObject = { role: role ?? 'assistant', content: content ?? null, ...others }
  if (Array.isArray(calls)) whole.tool_calls = calls.filter(isObject).map(finishCall)
  return { index, message: whole, ...rest, finish_reason }
}

/** The position was only there to tell the pieces apart; an id that never came is made, for the tool's answer to name. */
function finishCall(call: JsonObject, position: number): JsonObject {
  const { index: _position, id, type, ...rest } = call
  return { id: id ?? `call_${position}`, type: type ?? 'function', ...rest }
}

/** Texts that come once and not in pieces, however often they are repeated. */
const repeated = new Set(['role', 'id', 'type', 'name'])

/** Adds what a delta holds: texts and arrays grow, objects merge, the rest is replaced. */
function merge(whole: JsonObject, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    const before = whole[key]
    if (before === undefined || before === null) whole[key] = key === 'tool_calls' ? mergeCalls([], value) : own(value)
    else if (value === null) continue
    else if (typeof value === 'string' && typeof before === 'string') {
      if (!repeated.has(key)) whole[key] = before + value
      else if (before === '') whole[key] = value
    } else if (key === 'tool_calls' && Array.isArray(before)) mergeCalls(before, value)
    else if (Array.isArray(value) && Array.isArray(before)) before.push(...value)
    else if (isObject(value) && isObject(before)) merge(before, value)
    else whole[key] = value
  }
}

/** Pieces of tool calls belong together by `index`; where it is missing, by their position. */
function mergeCalls(calls: Json[], pieces: Json): Json[] {
  for (const [position, piece] of (Array.isArray(pieces) ? pieces.filter(isObject) : []).entries()) {
    const index = typeof piece.index === 'number' ? piece.index : position
    const call = calls[index]
    if (isObject(call)) merge(call, piece)
    else calls[index] = own(piece)
  }
  return calls
}

/** A copy to grow, so that the chunk stays as it came. */
function own(value: Json): Json {
  return typeof value === 'object' ? structuredClone(value) : value
}
