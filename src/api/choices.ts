/**
 * Accumulates the choices of chat and text completions (sections 2.1 and 2.2). A value of the wrong type is ignored.
 */

import { isExactNumber } from '../io/json/exact-numbers.ts'
import { indexOf, isNonEmptyText, isObject, objectsIn, type Json, type JsonObject } from '../io/json/json.ts'
import type { Accumulator } from '../stream/accumulator.ts'
import { graverReason } from '../stream/finish-reason.ts'
import { isError } from '../stream/reported-error.ts'
import { addUsage, decodeUsage, type Delta, type Usage } from '../stream/delta.ts'
import { NetworkError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { textsIn } from './chat/messages.ts'

/** A choice takes about a kibibyte in all readers. */
const maxChoices = 65_536

/** A usage in each chunk of many choices would be added up each time, which is O(n²). */
const maxCounted = 1000

/** What is accumulated of one choice. */
export interface ChoiceAccumulator {
  /**
   * Adds the deltas of a part, or of a choice that was not streamed, except for its finish reason.
   * @param exact The part with its numbers as of `withExactNumbers`.
   */
  add(deltas: Delta[], part: JsonObject, exact: () => JsonObject): void
  /** What the parts are joined to, without the `keysOfParts`. Only if JSON is kept. */
  build(): JsonObject
}

type CreateChoice = (index: number, keepsJson: boolean) => ChoiceAccumulator

/** Accumulates choices, which may come in any order. */
export class ChoicesAccumulator implements Accumulator {
  readonly #object: string
  readonly #createChoice: CreateChoice
  readonly #keepsJson: boolean
  readonly #head: JsonObject = {}
  readonly #choices = new Map<number, { readonly choice: ChoiceAccumulator; reason: string | undefined }>()
  /** Some services count each choice separately. */
  readonly #usages = new Map<number, Usage>()
  #hasStarted = false
  #id: Json | undefined
  /** Whether several chunks in a row had this id: some services give each chunk an id of its own. */
  #isIdStable = false
  /** Whether a choice of the latest chunk with choices has ended. */
  #hasEnded = false

  /** @param object The `object` key of the answer. */
  constructor(object: string, createChoice: CreateChoice, keepsJson: boolean) {
    this.#object = object
    this.#createChoice = createChoice
    this.#keepsJson = keepsJson
  }

  add(chunk: JsonObject, exact: () => JsonObject): Delta[] {
    const { id } = chunk
    if (id === this.#id || !isNonEmptyText(id)) this.#isIdStable = this.#id !== undefined
    else [this.#id, this.#isIdStable] = [id, false]
    if (!this.#keepsJson) return this.#decode(chunk, exact)
    const kept = exact()
    addValues(this.#head, kept, ['choices'])
    return this.#decode(chunk, () => kept)
  }

  addWhole(answer: JsonObject, exact: () => JsonObject): Delta[] {
    const indexes = distinctIndexes(objectsIn(answer.choices))
    return this.#decode(answer, exact, indexes)
  }

  /** Another answer has another id and a role again, before the first choice of the one before has ended. */
  startsAnother({ id, choices }: JsonObject): boolean {
    if (!this.#isIdStable || this.#hasEnded || id === this.#id || !isNonEmptyText(id)) return false
    const [part = {}] = objectsIn(choices)
    return isNonEmptyText(choiceMessage(part).role) && !part.index
  }

  build(): JsonObject {
    const { usage, ...head } = { ...this.#head, object: this.#object } as JsonObject
    const choices = [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, { choice, reason }]) => ({ index, ...choice.build(), finish_reason: reason ?? null }))
    return { ...head, choices, ...(usage !== undefined && { usage }) }
  }

  /** @param indexes Those of whole choices. */
  #decode(chunk: JsonObject, exact: () => JsonObject, indexes?: readonly number[]): Delta[] {
    const deltas: Delta[] = []
    // Some services name the model only in a later chunk.
    if (!this.#hasStarted && isNonEmptyText(chunk.model)) {
      this.#hasStarted = true
      deltas.push({ type: 'start', model: chunk.model })
    }
    const parts = objectsIn(chunk.choices)
    const total = decodeUsage(chunk.usage)
    let hasOwnUsage = false
    for (const [position, part] of parts.entries()) {
      const index = indexes?.[position] ?? indexOf(part) ?? position
      const known = this.#choices.get(index)
      const one = known ?? { choice: this.#createChoice(index, this.#keepsJson && !indexes), reason: undefined }
      if (!known) this.#choices.set(index, one)
      one.choice.add(deltas, part, () => objectsIn(exact().choices)[position] ?? part)
      const { finish_reason: reason, error } = part
      if (position === 0) this.#hasEnded = false
      if (isNonEmptyText(reason)) {
        this.#hasEnded = true
        one.reason = graverReason(one.reason, reason)
      }
      if (error !== undefined && isError(error))
        deltas.push({ type: 'end', index, reason: 'error', error: JSON.stringify(error) })
      else if (isNonEmptyText(reason)) deltas.push({ type: 'end', index, reason })
      else if (indexes) deltas.push({ type: 'end', index, reason: 'stop' })
      const usage = parts.length === 1 && total ? total : decodeUsage(part.usage)
      if (!usage || (this.#usages.size >= maxCounted && !this.#usages.has(index))) continue
      this.#usages.set(index, usage)
      hasOwnUsage = true
    }
    if (this.#choices.size > maxChoices) throw new NetworkError(`the service sent more than ${maxChoices} answers`)
    // Unless there is one choice, the usage is a total.
    if (total && parts.length !== 1) deltas.push({ type: 'usage', usage: total })
    else if (hasOwnUsage) deltas.push({ type: 'usage', usage: [...this.#usages.values()].reduce(addUsage) })
    return deltas
  }
}

/** The message of a choice, or the part of it in a stream. */
export function choiceMessage({ delta, message }: JsonObject): JsonObject {
  if (isObject(delta)) return delta
  return isObject(message) ? message : {}
}

/** The text of a choice, or of a part of it: of chat, or of text completions, as some servers answer both in one shape. */
export function choiceText(part: JsonObject): string {
  const { content } = choiceMessage(part)
  const text = typeof content === 'string' ? content : textsIn(content).join('')
  return text === '' && isNonEmptyText(part.text) ? part.text : text
}

/** The indexes of whole choices: their positions, unless each has an index of its own. */
function distinctIndexes(choices: readonly JsonObject[]): number[] {
  const indexes = choices
    .flatMap((choice) => indexOf(choice) ?? [])
    .filter((index) => Number.isSafeInteger(index) && index >= 0)
  return new Set(indexes).size === choices.length ? indexes : choices.map((_, position) => position)
}

/** Adds the reasoning of a thinking model, in a choice or its message, and the text. */
export function addTexts(deltas: Delta[], part: JsonObject, index: number): void {
  for (const holder of [part, choiceMessage(part)]) {
    // Services use either name; if both are present they are equal, or one is empty.
    const reasoning = isNonEmptyText(holder.reasoning_content) ? holder.reasoning_content : holder.reasoning
    if (isNonEmptyText(reasoning)) deltas.push({ type: 'reasoning', index, text: reasoning })
  }
  const text = choiceText(part)
  if (text !== '') deltas.push({ type: 'text', index, text })
}

/** Strings that are sent whole, so that a repeated one is not appended. */
const wholeStrings = new Set(['role', 'id', 'type', 'name'])

/** The keys of a part that `ChoicesAccumulator` joins itself. */
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
