/**
 * A JSON value that fits a schema. The sampler proposes one and ajv checks it; where it is wrong, the next proposal chooses
 * another alternative. Keywords that the sampler doesn't know, `pattern` among them, fit by chance or not at all.
 */

import { childPointer, compileSchema, InvalidSchemaError, pointerPath } from '../../fields/json-schema.ts'
import { bareText, isObject, jsonPath, type Json, type JsonObject } from '../../io/json.ts'
import { HttpError } from '../http-error.ts'
import { numbersFor, numberOr, textsFor } from './sample-values.ts'

const mostTries = 12
/** Of one proposal. */
const mostValues = 10_000
const mostItems = 1000
const deepest = 24
/** Beyond it a proposal takes no more than it needs: a recursion has to end. */
const usualDepth = 3

/**
 * The same schema and request get the same value.
 * @param request The user's words, which values are taken from where they hold any that suit.
 * @param where Names the schema in errors.
 * @throws HttpError with the keyword that no value was found for, and its place.
 */
export async function sampleJson(schema: JsonObject, request: string, where: string): Promise<Json> {
  const failure = (reason: string): HttpError => new HttpError(400, `${where}: no value was found${reason}`)
  const validate = await compileSchema(schema).catch((error: unknown) => {
    throw error instanceof InvalidSchemaError ? failure(`: not a JSON schema: ${error.message}`) : error
  })
  const misfits: Misfit[] = []
  while (misfits.length < mostTries) {
    const wrong = misfits.map(({ pointer }) => pointer)
    try {
      const value = new Sampler(schema, request, wrong).value(schema, root)
      const problem = validate(value)
      if (!problem) return value
      misfits.push(new Misfit(problem.keyword, problem.pointer, problem.text))
    } catch (error) {
      // ajv follows a reference that leads to itself, such as {"$ref":"#"}, until the stack ends.
      const misfit = error instanceof RangeError ? new Misfit('$ref', '') : error
      if (!(misfit instanceof Misfit)) throw error
      misfits.push(misfit)
    }
  }
  const [first] = misfits
  throw failure(` that fits ${first?.keyword}: ${first?.message}`)
}

/** A value that doesn't fit, or that can't be made up. */
class Misfit extends Error {
  readonly keyword: string
  readonly pointer: string

  constructor(keyword: string, pointer: string, message?: string) {
    super(message ?? `${jsonPath(pointerPath(pointer))} is beyond what the sandbox makes up`)
    this.keyword = keyword
    this.pointer = pointer
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
  const own = typeof step === 'string' ? { property: step } : { at: step }
  return { ...place, pointer: childPointer(place.pointer, step), depth: place.depth + 1, ...own }
}

/** Makes one proposal. */
class Sampler {
  readonly #root: Json
  readonly #request: string
  readonly #wrong: readonly string[]
  #made = 0

  /** @param wrong Pointers to what was wrong in the proposals before. */
  constructor(schema: Json, request: string, wrong: readonly string[]) {
    this.#root = schema
    this.#request = request
    this.#wrong = wrong
  }

  value(schema: Json, place: Place): Json {
    if (place.depth > deepest || ++this.#made > mostValues) throw new Misfit('$ref', place.pointer)
    const { property, at } = place
    const flat = this.#flatten(schema, place)
    if (flat['const'] !== undefined) return flat['const']
    if (Array.isArray(flat['enum'])) return this.#pick(this.#mentionedFirst(flat['enum'], place), place, 'enum')
    const type = this.#pick(inOrder(typesOf(flat), place), place, 'type')
    if (type === 'object') return this.#object(flat, place)
    if (type === 'array') return this.#array(flat, place)
    if (type === 'string') return this.#pick(textsFor(flat, this.#request, property, at), place, 'format')
    if (type === 'boolean') return this.#pick(rotated([true, false], at), place, 'type')
    if (type === 'null') return null
    return this.#pick(numbersFor(flat, type === 'integer', this.#request, at), place, 'multipleOf')
  }

  /** How often something was wrong at a place, within it, or with what it is part of. */
  #failures({ pointer }: Place): number {
    const isWithin = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}/`)
    return this.#wrong.filter((wrong) => isWithin(wrong, pointer) || isWithin(pointer, wrong)).length
  }

  #pick<T>(options: readonly T[], place: Place, keyword: string): T {
    const option = options[this.#failures(place) % options.length]
    if (option === undefined) throw new Misfit(keyword, place.pointer)
    return option
  }

  /** A schema without references and alternatives, merged with what stands beside them. */
  #flatten(schema: Json, place: Place, followed: readonly string[] = []): JsonObject {
    // That nothing fits `false` is ajv's to say.
    if (!isObject(schema)) return {}
    const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema
    const parts = [own, ...list(allOf).map((part) => this.#flatten(part, place, followed))]
    if (typeof reference === 'string') {
      if (followed.includes(reference)) throw new Misfit('$ref', place.pointer)
      parts.push(this.#flatten(this.#resolve(reference, place), place, [...followed, reference]))
    }
    for (const options of [anyOf, oneOf]) {
      if (!Array.isArray(options)) continue
      parts.push(this.#flatten(this.#pick(inOrder(options, place), place, 'anyOf'), place, followed))
    }
    return parts.reduce(merge)
  }

  /** The part of the schema that a reference such as `#/$defs/node` names. */
  #resolve(reference: string, { pointer }: Place): Json {
    let part: unknown = /^#(?:$|\/)/.test(reference) ? this.#root : undefined
    for (const step of pointerPath(decodeURIComponent(reference.slice(1)))) {
      part = part instanceof Object && Object.hasOwn(part, step) ? (part as JsonObject)[step] : undefined
    }
    if (part === undefined) throw new Misfit('$ref', pointer)
    return part as Json
  }

  #object(schema: JsonObject, place: Place): JsonObject {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = new Set(list(schema['required']).map(String))
    const fewest = numberOr(schema['minProperties'], 0)
    if (fewest > mostItems) throw new Misfit('minProperties', place.pointer)
    const optional = Object.keys(properties).filter((name) => {
      const isWanted = place.depth <= usualDepth || required.size < fewest
      return !required.has(name) && isWanted && this.#failures(inner(place, name)) === 0
    })
    const room = numberOr(schema['maxProperties'], Infinity) - required.size
    const names = new Set([...required, ...optional.slice(0, Math.max(0, room))])
    for (let more = 1; names.size < fewest; more++) names.add(`key${more}`)
    const entries = [...names].map((name): [string, Json] => {
      const part = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
      return [name, this.value(part ?? true, inner(place, name))]
    })
    return Object.fromEntries(entries)
  }

  #array(schema: JsonObject, place: Place): Json[] {
    const { items = true } = schema
    const first = list(schema['prefixItems'])
    const fewest = numberOr(schema['minItems'], 0)
    if (fewest > mostItems) throw new Misfit('minItems', place.pointer)
    const usual = place.depth > usualDepth ? fewest : Math.max(fewest, first.length, items === false ? 0 : 2)
    const most = Math.min(numberOr(schema['maxItems'], Infinity), items === false ? first.length : Infinity)
    const length = this.#pick([Math.min(usual, most), Math.min(fewest, most)], place, 'minItems')
    return Array.from({ length }, (_, at) => this.value(first[at] ?? items, inner(place, at)))
  }

  #mentionedFirst(values: Json[], { at }: Place): Json[] {
    const request = this.#request.toLowerCase()
    const mentioned = values.filter((value) => value !== '' && request.includes(bareText(value).toLowerCase()))
    return rotated([...new Set([...mentioned, ...values])], at)
  }
}

/** Alternatives, the likeliest first: `null` comes last, unless that may be the way out of a recursion. */
function inOrder(options: Json[], { depth, at }: Place): Json[] {
  const isEnding = depth > usualDepth
  const rank = (option: Json): number => {
    if (option === 'null' || (isObject(option) && option['type'] === 'null')) return isEnding ? 0 : 2
    return isEnding && JSON.stringify(option).includes('"$ref"') ? 2 : 1
  }
  return rotated(options, isEnding ? 0 : at).toSorted((a, b) => rank(a) - rank(b))
}

/** Both schemas at once. Where a keyword can't say both the second wins, and ajv finds what doesn't fit the first. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const [a, b] = [first['properties'], second['properties']]
  if (isObject(a) && isObject(b)) merged['properties'] = { ...a, ...b }
  if (first['required'] && second['required'])
    merged['required'] = [...list(first['required']), ...list(second['required'])]
  return merged
}

/** The types that a schema names, or else that its keywords are for. */
function typesOf(schema: JsonObject): Json[] {
  if (schema['type'] !== undefined) return [schema['type']].flat()
  const keywords = Object.keys(schema).join(' ')
  if (/properties|required/i.test(keywords)) return ['object']
  if (/items/i.test(keywords)) return ['array']
  if (/imum|multipleOf/i.test(keywords)) return ['number']
  return ['string', 'integer', 'boolean', 'object', 'array', 'null']
}

function rotated<T>(options: readonly T[], turns: number): T[] {
  const start = turns % Math.max(1, options.length)
  return [...options.slice(start), ...options.slice(0, start)]
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}
