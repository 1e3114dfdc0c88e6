/**
 * The choices that chat and text completions consist of (sections 2.1 and 2.2): decoded to deltas, and their chunks put
 * together to the whole answer. Requires little of a chunk: only values of the right type count.
 */

import { isNonEmptyText, isObject, objectsIn, type Json, type JsonObject } from '../io/json.ts'
import type { Decoder } from '../stream/answer.ts'
import { decodeUsage, type Delta } from '../stream/delta.ts'

/** @param decodeChoice What a choice, or a part of one, says; how it ended is seen to here. */
export function createChoiceDecoder(decodeChoice: (choice: JsonObject, index: number) => Delta[]): Decoder {
  let hasStarted = false

  function decode(chunk: JsonObject, isWhole: boolean): Delta[] {
    const deltas: Delta[] = []
    // Not every service names the model in its first chunk.
    if (!hasStarted && (isNonEmptyText(chunk.id) || isNonEmptyText(chunk.model))) {
      hasStarted = true
      deltas.push({ type: 'start', ...named('id', chunk.id), ...named('model', chunk.model) })
    }
    for (const [position, choice] of objectsIn(chunk.choices).entries()) {
      const index = typeof choice.index === 'number' ? choice.index : isWhole ? position : 0
      deltas.push(...decodeChoice(choice, index))
      const reason = choice.finish_reason
      if (isNonEmptyText(reason)) deltas.push({ type: 'end', index, reason })
      else if (isWhole) deltas.push({ type: 'end', index, reason: 'stop' })
    }
    const usage = decodeUsage(chunk.usage)
    if (usage) deltas.push({ type: 'usage', usage })
    return deltas
  }

  return {
    decodeChunk: (chunk) => decode(chunk, false),
    decodeWhole: (answer) => decode(answer, true),
  }
}

/** What a thinking model thought, in a choice or its message. */
export function decodeReasoning(holder: JsonObject, index: number): Delta[] {
  // Services name it either way; where both are there they hold the same, or one is empty.
  const reasoning = isNonEmptyText(holder.reasoning_content) ? holder.reasoning_content : holder.reasoning
  return isNonEmptyText(reasoning) ? [{ type: 'reasoning', index, text: reasoning }] : []
}

/** The value under this name, where it is a text that says something. */
export function named<Name extends string>(name: Name, value: Json | undefined): { [N in Name]?: string } {
  return (isNonEmptyText(value) ? { [name]: value } : {}) as { [N in Name]?: string }
}

/** One choice while its parts come in; its index and finish reason are seen to here. */
export interface GrowingChoice {
  add(part: JsonObject): void
  whole(): JsonObject
}

interface Numbered {
  readonly choice: GrowingChoice
  finishReason: Json
}

/**
 * Puts streamed chunks together to the answer that the service would have given whole, unknown keys included.
 * @param chunks Of one answer, in the order in which they came.
 * @param object What a whole answer of this kind calls itself.
 */
export function foldChoices(
  chunks: readonly JsonObject[],
  object: string,
  createChoice: () => GrowingChoice,
): JsonObject {
  const answer: JsonObject = {}
  const choices = new Map<number, Numbered>()
  for (const { choices: parts, ...head } of chunks) {
    for (const [key, value] of Object.entries(head)) {
      if (value !== null || !Object.hasOwn(answer, key)) answer[key] = value
    }
    for (const { index, finish_reason: reason, ...part } of objectsIn(parts)) {
      const number = typeof index === 'number' ? index : 0
      const known = choices.get(number) ?? { choice: createChoice(), finishReason: null }
      choices.set(number, known)
      known.choice.add(part)
      known.finishReason = reason ?? known.finishReason
    }
  }
  const { usage, ...head } = { ...answer, object } as JsonObject
  const folded = [...choices].sort(([a], [b]) => a - b).map(wholeChoice)
  return { ...head, choices: folded, ...(usage !== undefined && { usage }) }
}

function wholeChoice([index, { choice, finishReason }]: [number, Numbered]): JsonObject {
  return { index, ...choice.whole(), finish_reason: finishReason }
}

/** Texts that come once and not in pieces, however often they are repeated. */
const repeated = new Set(['role', 'id', 'type', 'name'])

/** Adds a chunk's part to what came before it: texts and arrays grow, objects merge, the rest is replaced. */
export function merge(whole: JsonObject, part: JsonObject): void {
  for (const [key, value] of Object.entries(part)) {
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
