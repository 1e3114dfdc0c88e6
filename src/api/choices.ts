/**
 * Decodes the choices of chat and text completions (sections 2.1 and 2.2) to deltas, and folds their chunks to the
 * whole answer. A value of the wrong type is ignored.
 */

import {
  isExactNumber,
  indexOf,
  isNonEmptyText,
  isObject,
  objectsIn,
  type Json,
  type JsonObject,
} from '../io/json/json.ts'
import type { Fold } from '../stream/answer.ts'
import { graverReason } from '../stream/finish-reason.ts'
import type { ChunkDecoder } from '../stream/reply-decoder.ts'
import { isError } from '../stream/reported-error.ts'
import { addUsage, decodeUsage, type Delta, type Usage } from '../stream/delta.ts'
import { NetworkError } from '../errors.ts'
import { append } from '../io/arrays.ts'

/** A choice takes about a kibibyte in all readers. */
const maxChoices = 65_536

/** A usage in each chunk of many choices would be added up each time, which is O(n²). */
const maxCounted = 1000

/**
 * @param decodeChoice Adds the deltas of a choice, or of a part of one, except for its finish reason. `exact` has its numbers as
 *   of `withExactNumbers`.
 */
export function createChoiceDecoder(
  decodeChoice: (deltas: Delta[], choice: JsonObject, index: number, exact: () => JsonObject) => void,
): ChunkDecoder {
  let hasStarted = false
  const indexes = new Set<number>()
  /** Some services count each choice separately. */
  const usageOfChoices = new Map<number, Usage>()

  function decode(chunk: JsonObject, isWhole: boolean, exact: () => JsonObject): Delta[] {
    const deltas: Delta[] = []
    // Some services name the model only in a later chunk.
    if (!hasStarted && (isNonEmptyText(chunk.id) || isNonEmptyText(chunk.model))) {
      hasStarted = true
      deltas.push({ type: 'start', ...textEntry('id', chunk.id), ...textEntry('model', chunk.model) })
    }
    const choices = objectsIn(chunk.choices)
    const positions = isWhole ? distinctIndexes(choices) : undefined
    const total = decodeUsage(chunk.usage)
    let hasOwnUsage = false
    for (const [position, choice] of choices.entries()) {
      const index = positions?.[position] ?? indexOf(choice) ?? position
      indexes.add(index)
      decodeChoice(deltas, choice, index, () => objectsIn(exact().choices)[position] ?? choice)
      const { finish_reason: reason, error } = choice
      if (error !== undefined && isError(error))
        deltas.push({ type: 'end', index, reason: 'error', error: JSON.stringify(error) })
      else if (isNonEmptyText(reason)) deltas.push({ type: 'end', index, reason })
      else if (isWhole) deltas.push({ type: 'end', index, reason: 'stop' })
      const usage = choices.length === 1 && total ? total : decodeUsage(choice.usage)
      if (!usage || (usageOfChoices.size >= maxCounted && !usageOfChoices.has(index))) continue
      usageOfChoices.set(index, usage)
      hasOwnUsage = true
    }
    if (indexes.size > maxChoices) throw new NetworkError(`the service sent more than ${maxChoices} answers`)
    // Unless there is one choice, the usage is a total.
    if (total && choices.length !== 1) deltas.push({ type: 'usage', usage: total })
    else if (hasOwnUsage) deltas.push({ type: 'usage', usage: [...usageOfChoices.values()].reduce(addUsage) })
    return deltas
  }

  return {
    decodeChunk: (chunk, exact) => decode(chunk, false, exact),
    decodeWhole: (answer, exact) => decode(answer, true, exact),
  }
}

/** The indexes of whole choices: their positions, unless each has an index of its own. */
function distinctIndexes(choices: readonly JsonObject[]): number[] {
  const indexes = choices
    .flatMap((choice) => indexOf(choice) ?? [])
    .filter((index) => Number.isSafeInteger(index) && index >= 0)
  return new Set(indexes).size === choices.length ? indexes : choices.map((_, position) => position)
}

/** Adds the reasoning of a thinking model, in a choice or its message. */
export function addReasoning(deltas: Delta[], holder: JsonObject, index: number): void {
  // Services use either name; if both are present they are equal, or one is empty.
  const reasoning = isNonEmptyText(holder.reasoning_content) ? holder.reasoning_content : holder.reasoning
  if (isNonEmptyText(reasoning)) deltas.push({ type: 'reasoning', index, text: reasoning })
}

/** `{ [name]: value }`, or `{}` if the value is not a string or empty. */
export function textEntry<Name extends string>(name: Name, value: Json | undefined): { [N in Name]?: string } {
  return (isNonEmptyText(value) ? { [name]: value } : {}) as { [N in Name]?: string }
}

/** Folds streamed chunks to the answer that the service would have sent without streaming, unknown keys included. */
export class ChoicesFold implements Fold {
  readonly #object: string
  readonly #foldChoice: () => Fold
  readonly #head: JsonObject = {}
  readonly #choices = new Map<number, { readonly fold: Fold; reason: string | undefined }>()

  /** @param object The `object` key of the answer. @param foldChoice Folds the parts of a choice, without the `keysOfParts`. */
  constructor(object: string, foldChoice: () => Fold) {
    this.#object = object
    this.#foldChoice = foldChoice
  }

  add(chunk: JsonObject): void {
    addValues(this.#head, chunk, ['choices'])
    for (const [position, part] of objectsIn(chunk.choices).entries()) {
      const index = indexOf(part) ?? position
      const choice = this.#choices.get(index) ?? { fold: this.#foldChoice(), reason: undefined }
      this.#choices.set(index, choice)
      const { finish_reason: reason } = part
      if (isNonEmptyText(reason)) choice.reason = graverReason(choice.reason, reason)
      choice.fold.add(part)
    }
  }

  build(): JsonObject {
    const { usage, ...head } = { ...this.#head, object: this.#object } as JsonObject
    const choices = [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, { fold, reason }]) => ({ index, ...fold.build(), finish_reason: reason ?? null }))
    return { ...head, choices, ...(usage !== undefined && { usage }) }
  }
}

/** Strings that are sent whole, so that a repeated one is not appended. */
const wholeStrings = new Set(['role', 'id', 'type', 'name'])

/** The keys of a part that `ChoicesFold` folds. */
export const keysOfParts: readonly string[] = ['index', 'finish_reason']

/**
 * Merges a part into what came before: strings and arrays are appended, objects merged, other values replaced.
 * @param ignored Keys of the part. A copy of each part without them takes longer than all that is merged.
 */
export function merge(whole: JsonObject, part: JsonObject, ignored: readonly string[] = []): void {
  for (const key of Object.keys(part)) {
    if (ignored.includes(key)) continue
    const value = part[key] as Json
    // A key such as `constructor` or `__proto__` must not find, and change, an inherited property.
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined
    if (before === undefined || before === null) setOwn(whole, key, copy(value))
    else if (value === null) continue
    else if (typeof value === 'string' && typeof before === 'string' && !isExactNumber(value)) {
      if (!wholeStrings.has(key)) whole[key] = before + value
      else if (before === '') whole[key] = value
    } else if (Array.isArray(value) && Array.isArray(before)) append(before, value)
    else if (isObject(value) && isObject(before)) merge(before, value)
    else whole[key] = copy(value)
  }
}

/** Adds values, of which the later ones win, except null. @param ignored Keys of what is added. */
export function addValues(object: JsonObject, added: JsonObject, ignored: readonly string[] = []): void {
  for (const key of Object.keys(added)) {
    const value = added[key] as Json
    if (!ignored.includes(key) && (value !== null || !Object.hasOwn(object, key))) setOwn(object, key, value)
  }
}

function setOwn(object: JsonObject, key: string, value: Json): void {
  // Assigning to `__proto__` would set the prototype.
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Copied, so that merging does not change the chunk. */
function copy(value: Json): Json {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}
