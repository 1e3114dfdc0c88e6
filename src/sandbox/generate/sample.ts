/**
 * Generates a JSON value for a schema. The sampler proposes values and ajv checks them; after a failure, the next proposal
 * chooses another alternative there. Keywords that the sampler does not know, such as `pattern`, match only by chance.
 */

import { childPointer, InvalidSchemaError, loadSchemaCompiler, pointerPath } from '../../fields/json-schema.ts'
import { bareText, isObject, jsonPath, type Json, type JsonObject } from '../../io/json/json.ts'
import { TimeLimitError, withinTimeLimit } from '../../io/time/time-limit.ts'
import { HttpError } from '../endpoint.ts'
import { excerpt } from './writers.ts'

const maxTries = 12
/** In one proposal. */
const maxValues = 10_000
const maxItemCount = 1000
const maxDepth = 24
/** Below this depth only required values are generated, so that recursion ends. */
const optionalDepth = 3

/**
 * The same schema and request give the same value.
 * @throws HttpError with the keyword that no value was found for, and the path of the value; also if the schema takes so long
 *   that the sandbox would serve nobody else.
 */
export async function sampleJson(schema: JsonObject, request: string, where: string): Promise<Json> {
  const failure = (reason: string): HttpError => new HttpError(400, `${where}: ${reason}`)
  const fail = (error: unknown): never => {
    if (error instanceof InvalidSchemaError) throw failure(`not a JSON schema: ${error.message}`)
    throw error instanceof TimeLimitError ? failure(`the sandbox cannot check it: ${error.message}`) : error
  }
  const validate = await withinTimeLimit(await loadSchemaCompiler(schema)).catch(fail)
  const misfits: Misfit[] = []
  while (misfits.length < maxTries) {
    const wrong = misfits.map(({ pointer }) => pointer)
    try {
      const { value, problem } = await withinTimeLimit(() => {
        const value = propose(schema, request, wrong)
        return { value, problem: validate(value) }
      })
      if (!problem) return value
      misfits.push(new Misfit(problem.keyword, problem.pointer, problem.text))
    } catch (error) {
      // ajv follows a circular reference, such as {"$ref":"#"}, until the stack overflows.
      const misfit = error instanceof RangeError ? new Misfit('$ref', '') : error
      if (!(misfit instanceof Misfit)) return fail(error)
      misfits.push(misfit)
    }
  }
  const [first] = misfits
  throw failure(`the sandbox found no value for ${first?.keyword}: ${first?.message}`)
}

/** A value that does not fit, or that cannot be generated. */
class Misfit extends Error {
  readonly keyword: string
  readonly pointer: string

  constructor(keyword: string, pointer: string, message?: string) {
    super(message ?? `${jsonPath(pointerPath(pointer))} cannot be generated`)
    this.keyword = keyword
    this.pointer = pointer
  }
}

/** The position of a value in the document. */
interface ValuePosition {
  readonly pointer: string
  /** The name of the value's property. */
  readonly property: string
  /** The index in an array, so that its items differ. */
  readonly at: number
  readonly depth: number
}

function childPosition(position: ValuePosition, step: string | number): ValuePosition {
  const own = typeof step === 'string' ? { property: step } : { at: step }
  return { ...position, pointer: childPointer(position.pointer, step), depth: position.depth + 1, ...own }
}

/** Generates one proposal. @param wrong Pointers to the wrong values of earlier proposals. */
function propose(root: JsonObject, request: string, wrong: readonly string[]): Json {
  let made = 0

  function sampleValue(schema: Json, position: ValuePosition): Json {
    if (position.depth > maxDepth || ++made > maxValues) throw new Misfit('$ref', position.pointer)
    const { property, at } = position
    const flat = flatten(schema, position)
    if (flat['const'] !== undefined) return flat['const']
    if (Array.isArray(flat['enum'])) return pick(mentionedFirst(flat['enum'], position), position, 'enum')
    const type = pick(sortedByPreference(typesOf(flat), position), position, 'type')
    if (type === 'object') return sampleObject(flat, position)
    if (type === 'array') return sampleArray(flat, position)
    if (type === 'string') return pick(textsFor(flat, request, property, at), position, 'format')
    if (type === 'boolean') return pick(rotated([true, false], at), position, 'type')
    if (type === 'null') return null
    return pick(numbersFor(flat, type === 'integer', request, at), position, 'multipleOf')
  }

  /** How often a value at, inside or around a position was wrong. */
  function failures({ pointer }: ValuePosition): number {
    const isWithin = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}/`)
    return wrong.filter((wrong) => isWithin(wrong, pointer) || isWithin(pointer, wrong)).length
  }

  function pick<T>(options: readonly T[], position: ValuePosition, keyword: string): T {
    const option = options[failures(position) % options.length]
    if (option === undefined) throw new Misfit(keyword, position.pointer)
    return option
  }

  /** Resolves references and alternatives, and merges them with the other keywords of the schema. */
  function flatten(schema: Json, position: ValuePosition, followed: readonly string[] = []): JsonObject {
    // For `false`, ajv reports that nothing fits.
    if (!isObject(schema)) return {}
    const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema
    const parts = [own, ...arrayOrEmpty(allOf).map((part) => flatten(part, position, followed))]
    if (typeof reference === 'string') {
      if (followed.includes(reference)) throw new Misfit('$ref', position.pointer)
      parts.push(flatten(resolve(reference, position), position, [...followed, reference]))
    }
    for (const options of [anyOf, oneOf]) {
      if (!Array.isArray(options)) continue
      parts.push(flatten(pick(sortedByPreference(options, position), position, 'anyOf'), position, followed))
    }
    return parts.reduce(merge)
  }

  /** The part of the schema that a reference such as `#/$defs/node` points to. */
  function resolve(reference: string, { pointer }: ValuePosition): Json {
    let part: unknown = /^#(?:$|\/)/.test(reference) ? root : undefined
    for (const step of pointerPath(decodeURIComponent(reference.slice(1)))) {
      part = part instanceof Object && Object.hasOwn(part, step) ? (part as JsonObject)[step] : undefined
    }
    if (part === undefined) throw new Misfit('$ref', pointer)
    return part as Json
  }

  function sampleObject(schema: JsonObject, position: ValuePosition): JsonObject {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = new Set(arrayOrEmpty(schema['required']).map(String))
    const fewest = numberOr(schema['minProperties'], 0)
    if (fewest > maxItemCount) throw new Misfit('minProperties', position.pointer)
    const optional = Object.keys(properties).filter((name) => {
      const isWanted = position.depth <= optionalDepth || required.size < fewest
      return !required.has(name) && isWanted && failures(childPosition(position, name)) === 0
    })
    const room = numberOr(schema['maxProperties'], Infinity) - required.size
    const names = new Set([...required, ...optional.slice(0, Math.max(0, room))])
    for (let more = 1; names.size < fewest; more++) names.add(`key${more}`)
    const entries = [...names].map((name): [string, Json] => {
      const part = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
      return [name, sampleValue(part ?? true, childPosition(position, name))]
    })
    return Object.fromEntries(entries)
  }

  function sampleArray(schema: JsonObject, position: ValuePosition): Json[] {
    const { items = true } = schema
    const first = arrayOrEmpty(schema['prefixItems'])
    const fewest = numberOr(schema['minItems'], 0)
    if (fewest > maxItemCount) throw new Misfit('minItems', position.pointer)
    const usual = position.depth > optionalDepth ? fewest : Math.max(fewest, first.length, items === false ? 0 : 2)
    const most = Math.min(numberOr(schema['maxItems'], Infinity), items === false ? first.length : Infinity)
    const length = pick([Math.min(usual, most), Math.min(fewest, most)], position, 'minItems')
    return Array.from({ length }, (_, at) => sampleValue(first[at] ?? items, childPosition(position, at)))
  }

  function mentionedFirst(values: Json[], { at }: ValuePosition): Json[] {
    const words = request.toLowerCase()
    const mentioned = values.filter((value) => value !== '' && words.includes(bareText(value).toLowerCase()))
    return rotated([...new Set([...mentioned, ...values])], at)
  }

  return sampleValue(root, { pointer: '', property: '', at: 0, depth: 0 })
}

/** Alternatives, the best first: `null` comes last, unless it may end a recursion. */
function sortedByPreference(options: Json[], { depth, at }: ValuePosition): Json[] {
  const isEnding = depth > optionalDepth
  const rank = (option: Json): number => {
    if (option === 'null' || (isObject(option) && option['type'] === 'null')) return isEnding ? 0 : 2
    return isEnding && JSON.stringify(option).includes('"$ref"') ? 2 : 1
  }
  return rotated(options, isEnding ? 0 : at).toSorted((a, b) => rank(a) - rank(b))
}

/** Merges two schemas. For keywords that cannot be merged the second wins; ajv reports a value that violates the first. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const [a, b] = [first['properties'], second['properties']]
  if (isObject(a) && isObject(b)) merged['properties'] = { ...a, ...b }
  if (first['required'] && second['required'])
    merged['required'] = [...arrayOrEmpty(first['required']), ...arrayOrEmpty(second['required'])]
  return merged
}

/** The types of a schema, or else those that its keywords apply to. */
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

function arrayOrEmpty(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** Generators of strings for some formats; `at` makes the items of an array differ. */
const formats: Readonly<Record<string, (at: number) => string>> = {
  'date-time': (at) => new Date(Date.UTC(2025, 5, 1 + at, 12)).toISOString(),
  date: (at) => new Date(Date.UTC(2025, 5, 1 + at)).toISOString().slice(0, 10),
  time: (at) => `12:${String(at % 60).padStart(2, '0')}:00Z`,
  duration: (at) => `P${at + 1}D`,
  email: (at) => `person${at + 1}@example.com`,
  hostname: (at) => `host${at + 1}.example.com`,
  ipv4: (at) => `192.0.2.${(at % 254) + 1}`,
  ipv6: (at) => `2001:db8::${(at + 1).toString(16)}`,
  uri: (at) => `https://example.com/${at + 1}`,
  uuid: (at) => `00000000-0000-4000-8000-${(at + 1).toString(16).padStart(12, '0')}`,
}

const maxPadding = 10_000

/** @param at The item's index in an array. @returns strings to try, the best first; `[]` for an unknown format. */
function textsFor(schema: JsonObject, request: string, property: string, at: number): string[] {
  const { format, minLength, maxLength } = schema
  if (typeof format === 'string') return Object.hasOwn(formats, format) ? [formats[format]?.(at) ?? ''] : []
  const shortest = Math.min(numberOr(minLength, 0), maxPadding)
  // JSON schema counts characters, not UTF-16 units.
  return [matchingText(request, property), 'stand-in'].map((text) => {
    // The number comes first: at the end, truncation would remove it.
    const characters = [...(at === 0 ? text : `${at + 1} ${text}`)].slice(0, numberOr(maxLength, Infinity))
    return characters.join('') + '.'.repeat(Math.max(0, shortest - characters.length))
  })
}

function matchingText(request: string, property: string): string {
  const quoted = /["“‘`]([^"”’`]+)["”’`]/.exec(request)?.[1]
  if (/city|place|location|country/i.test(property)) {
    return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim() ?? 'Paris'
  }
  if (/name|person|author|user/i.test(property)) return quoted ?? 'Ada Lovelace'
  return quoted || excerpt(request, 40) || 'stand-in'
}

/** @returns numbers to try, the best first; at least one, so that ajv can report why it does not fit. */
function numbersFor(schema: JsonObject, isWhole: boolean, request: string, at: number): number[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const lowest = Math.max(numberOr(minimum, -Infinity), numberOr(above, -Infinity))
  const highest = Math.min(numberOr(maximum, Infinity), numberOr(below, Infinity))
  const step = numberOr(schema['multipleOf'], 1)
  const mentioned = Number(request.match(/-?\d+(?:\.\d+)?/g)?.[at] ?? Number.NaN)
  const isUpward = lowest > -Infinity || highest === Infinity
  const base = lowest > -Infinity ? lowest : 1
  const first = isUpward ? Math.ceil(base / step) : Math.floor(highest / step)
  // Multiplied, not added: sums of 0.1 are not multiples of 0.1.
  const steps = Array.from({ length: 12 }, (_, more) => (isUpward ? first + at + more : first - at - more) * step)
  const candidates = [mentioned, ...steps, lowest + (highest - lowest) / (at + 2), highest]
  const fitting = candidates.filter((number) => {
    const isInBounds = number >= lowest && number <= highest && number !== above && number !== below
    const isMultiple = schema['multipleOf'] === undefined || Number.isInteger(number / step)
    return Number.isFinite(number) && isInBounds && isMultiple && (!isWhole || Number.isInteger(number))
  })
  return fitting.length > 0 ? [...new Set(fitting)].slice(0, 4) : [base]
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}
