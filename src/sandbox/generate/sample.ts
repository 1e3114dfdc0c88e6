/**
 * A JSON value that fits a schema. The sampler proposes one, ajv checks it, and the place of the error shows which choice
 * (an alternative, an optional property, a number of items) to change. Keywords that the sampler doesn't know,
 * `pattern` among them, fit by chance or not at all.
 */

import {
  childPointer,
  compileSchema,
  InvalidSchemaError,
  pointerPath,
  type SchemaProblem,
} from '../../fields/json-schema.ts'
import { isObject, jsonPath, type Json, type JsonObject } from '../../io/json.ts'
import { Refusal } from '../refusal.ts'
import { numbersFor, numberOr, textsFor } from './sample-values.ts'

const mostTries = 100
/** Of one proposal. */
const mostValues = 10_000
const mostItems = 1000
const deepest = 24

/**
 * The same schema and request get the same value.
 * @param request The user's words, which values are taken from where they hold any that suit.
 * @param where Names the schema in errors.
 * @throws Refusal with the keyword that no value was found for, and its place.
 */
export async function sampleJson(schema: JsonObject, request: string, where: string): Promise<Json> {
  const validate = await compileSchema(schema).catch((error: unknown) => {
    if (!(error instanceof InvalidSchemaError)) throw error
    throw new Refusal(400, `${where}: no value was found: not a JSON schema: ${error.message}`)
  })
  const choices = new Choices()
  for (let tries = 1; ; tries++) {
    const { value, problem } = attempt(() => new Sampler(schema, request, choices).value(schema, root), validate)
    if (!problem) return value
    if (tries === mostTries || !choices.change(problem.pointer)) {
      throw new Refusal(400, `${where}: no value was found that fits ${problem.keyword}: ${problem.text}`)
    }
  }
}

interface Attempt {
  readonly value: Json
  readonly problem?: SchemaProblem | undefined
}

function attempt(sample: () => Json, validate: (value: Json) => SchemaProblem | undefined): Attempt {
  try {
    const value = sample()
    return { value, problem: validate(value) }
  } catch (error) {
    if (error instanceof Unfittable) return { value: null, problem: error.problem }
    // ajv follows a reference that leads to itself, such as {"$ref":"#"}, until the stack ends.
    if (error instanceof RangeError) return { value: null, problem: new Unfittable('$ref', root).problem }
    throw error
  }
}

class Unfittable extends Error {
  readonly problem: SchemaProblem

  constructor(keyword: string, { pointer }: Place) {
    const text = `${jsonPath(pointerPath(pointer))} is beyond what the sandbox makes up`
    super(text)
    this.problem = { keyword, text, pointer }
  }
}

/** Where in the document a value is to stand. */
interface Place {
  readonly pointer: string
  /** Name of the property that the value is for. */
  readonly property: string
  /** Number among the items of an array, so that they differ. */
  readonly at: number
  readonly depth: number
}

const root: Place = { pointer: '', property: '', at: 0, depth: 0 }

function inner(place: Place, step: string | number): Place {
  const pointer = childPointer(place.pointer, step)
  const own = typeof step === 'string' ? { property: step } : { at: step }
  return { ...place, pointer, depth: place.depth + 1, ...own }
}

/** Makes one proposal. */
class Sampler {
  readonly #root: Json
  readonly #request: string
  readonly #choices: Choices
  #made = 0

  constructor(schema: Json, request: string, choices: Choices) {
    this.#root = schema
    this.#request = request
    this.#choices = choices
    choices.restart()
  }

  value(schema: Json, place: Place): Json {
    if (place.depth > deepest) throw new Unfittable('$ref', place)
    if (++this.#made > mostValues) throw new Unfittable('minItems', place)
    const flat = this.#flatten(schema, place)
    if (flat['const'] !== undefined) return flat['const']
    if (Array.isArray(flat['enum'])) return this.#pick(place, this.#mentionedFirst(flat['enum'], place), 'enum')
    const type = this.#pick(place, this.#inOrder(typesOf(flat), place), 'type')
    if (type === 'object') return this.#object(flat, place)
    if (type === 'array') return this.#array(flat, place)
    if (type === 'string') return this.#pick(place, textsFor(flat, this.#request, place), 'format')
    if (type === 'boolean') return this.#pick(place, rotated([true, false], place.at), 'type')
    if (type === 'null') return null
    return this.#pick(place, numbersFor(flat, type === 'integer', this.#request, place.at), 'multipleOf')
  }

  /** Once a document is large or deep, what may end does: no optional properties, no more items than needed. */
  #isEnding({ depth }: Place): boolean {
    return depth >= 5 || this.#made > 200
  }

  #pick<T>(place: Place, options: readonly T[], keyword: string): T {
    const option = options[this.#choices.take(place.pointer, options.length)]
    if (option === undefined) throw new Unfittable(keyword, place)
    return option
  }

  /** A schema without references and alternatives, merged with what stands beside them. */
  #flatten(schema: Json, place: Place, followed: readonly string[] = []): JsonObject {
    // That nothing fits `false` is ajv's to say.
    if (!isObject(schema)) return {}
    const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema
    const parts = [own, ...list(allOf).map((part) => this.#flatten(part, place, followed))]
    if (typeof reference === 'string') {
      if (followed.includes(reference)) throw new Unfittable('$ref', place)
      parts.push(this.#flatten(this.#resolve(reference, place), place, [...followed, reference]))
    }
    for (const [keyword, options] of Object.entries({ anyOf, oneOf })) {
      if (!Array.isArray(options)) continue
      const chosen = this.#pick(place, this.#inOrder(options, place), keyword)
      parts.push(this.#flatten(chosen, place, followed))
    }
    return parts.reduce(merge)
  }

  /** The part of the schema that a reference such as `#/$defs/node` names. */
  #resolve(reference: string, place: Place): Json {
    let part: Json | undefined = this.#root
    if (!/^#(?:$|\/)/.test(reference)) throw new Unfittable('$ref', place)
    for (const step of pointerPath(decodeURIComponent(reference.slice(1)))) {
      part =
        typeof part === 'object' && part !== null && Object.hasOwn(part, step) ? (part as JsonObject)[step] : undefined
    }
    if (part === undefined) throw new Unfittable('$ref', place)
    return part
  }

  #object(schema: JsonObject, place: Place): JsonObject {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = new Set(list(schema['required']).map(String))
    const fewest = numberOr(schema['minProperties'], 0)
    if (fewest > mostItems) throw new Unfittable('minProperties', place)
    const others = schema['additionalProperties'] ?? true
    const made = new Map<string, Json>()
    const add = (name: string): void => {
      const part = Object.hasOwn(properties, name) ? (properties[name] ?? true) : others
      made.set(name, this.value(part, inner(place, name)))
    }
    let room = numberOr(schema['maxProperties'], Infinity) - required.size
    const order = this.#isEnding(place) && required.size >= fewest ? [false, true] : [true, false]
    for (const name of new Set([...Object.keys(properties), ...required])) {
      if (required.has(name)) add(name)
      else if (room > 0 && this.#pick(inner(place, name), order, 'required')) {
        room--
        add(name)
      }
    }
    for (let more = 1; made.size < fewest; more++) if (!made.has(`key${more}`)) add(`key${more}`)
    return Object.fromEntries(made)
  }

  #array(schema: JsonObject, place: Place): Json[] {
    const { items = true, prefixItems, contains } = schema
    // Before draft 2020-12 the first items stand under `items`.
    const first = list(Array.isArray(items) ? items : prefixItems)
    const rest = Array.isArray(items) ? (schema['additionalItems'] ?? true) : items
    const fewest = numberOr(schema['minItems'], contains === undefined ? 0 : 1)
    if (fewest > mostItems) throw new Unfittable('minItems', place)
    const usual = this.#isEnding(place) ? fewest : Math.max(fewest, first.length, rest === false ? 0 : 2)
    const most = Math.min(numberOr(schema['maxItems'], Infinity), rest === false ? first.length : Infinity)
    const counts = new Set([Math.min(usual, most), Math.min(fewest, most)])
    const count = this.#pick(place, [...counts], 'minItems')
    return Array.from({ length: count }, (_, at) => {
      const part = first[at] ?? rest
      return this.value(at === 0 && contains !== undefined ? { allOf: [part, contains] } : part, inner(place, at))
    })
  }

  /** Alternatives, those first that are likelier to end: never `null`, unless that may be the way out of a recursion. */
  #inOrder(options: Json[], place: Place): Json[] {
    const isNull = (option: Json): boolean => option === 'null' || (isObject(option) && option['type'] === 'null')
    const [ends, others] = [options.filter(isNull), options.filter((option) => !isNull(option))]
    if (!this.#isEnding(place)) return [...rotated(others, place.at), ...ends]
    const isReference = (option: Json): boolean => JSON.stringify(option).includes('"$ref"')
    return [...ends, ...others.filter((option) => !isReference(option)), ...others.filter(isReference)]
  }

  #mentionedFirst(values: Json[], { at }: Place): Json[] {
    const request = this.#request.toLowerCase()
    const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase()
    const isMentioned = (value: Json): boolean => value !== '' && request.includes(textOf(value))
    return rotated([...values.filter(isMentioned), ...values.filter((value) => !isMentioned(value))], at)
  }
}

/** Choices of a proposal in their order, to be made again for the next one but for one of them. */
class Choices {
  #planned: readonly number[] = []
  #made: { readonly pointer: string; readonly index: number; readonly count: number }[] = []

  restart(): void {
    this.#made = []
  }

  /** @returns the index of one of so many options. */
  take(pointer: string, count: number): number {
    if (count < 2) return 0
    const index = this.#planned[this.#made.length] ?? 0
    this.#made.push({ pointer, index, count })
    return index
  }

  /**
   * Plans another option where a value is wrong: of the last choice that led to the value, or else made within it.
   * @returns false when none is left.
   */
  change(wrong: string): boolean {
    const ledTo = (pointer: string): boolean => wrong === pointer || wrong.startsWith(`${pointer}/`)
    const isWithin = (pointer: string): boolean => pointer.startsWith(`${wrong}/`)
    for (const isConcerned of [ledTo, isWithin]) {
      const last = this.#made.findLastIndex(({ pointer, index, count }) => isConcerned(pointer) && index + 1 < count)
      if (last === -1) continue
      this.#planned = this.#made.slice(0, last + 1).map(({ index }, at) => (at === last ? index + 1 : index))
      return true
    }
    return false
  }
}

/** Both schemas at once. Where a keyword can't say both the second wins, and ajv finds what doesn't fit the first. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first }
  for (const [keyword, value] of Object.entries(second)) {
    const before = first[keyword]
    merged[keyword] = before === undefined ? value : both(keyword, before, value)
  }
  return merged
}

function both(keyword: string, a: Json, b: Json): Json {
  if (/^(?:m|exclusiveM)in/.test(keyword)) return Math.max(Number(a), Number(b))
  if (/^(?:m|exclusiveM)ax/.test(keyword)) return Math.min(Number(a), Number(b))
  if (keyword === 'required') return [...list(a), ...list(b)]
  if (keyword === 'items' || keyword === 'additionalProperties') return { allOf: [a, b] }
  if (keyword === 'properties' && isObject(a) && isObject(b)) {
    const entries = Object.entries(b).map(([name, schema]): [string, Json] => {
      return [name, Object.hasOwn(a, name) ? { allOf: [a[name] ?? true, schema] } : schema]
    })
    return Object.fromEntries([...Object.entries(a), ...entries])
  }
  return b
}

const typeKeywords: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'minItems', 'contains'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

function typesOf(schema: JsonObject): Json[] {
  if (schema['type'] !== undefined) return [schema['type']].flat()
  const implied = Object.keys(typeKeywords).filter((type) => typeKeywords[type]?.some((keyword) => keyword in schema))
  return implied.length > 0 ? implied : ['string', 'integer', 'boolean', 'object', 'array', 'null']
}

function rotated<T>(options: readonly T[], turns: number): T[] {
  const start = turns % Math.max(1, options.length)
  return [...options.slice(start), ...options.slice(0, start)]
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}
