/**
 * Generates a JSON value for a schema, by the keywords that most schemas have. ajv checks it: of a schema with others, such as
 * `pattern` or `not`, an error says what the value does not fit.
 */

import { InvalidSchemaError, loadSchemaCompiler, pointerPath } from '../../fields/json-schema.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { bareText } from '../../io/json/print.ts'
import { TimeLimitError, withinTimeLimit } from '../../io/time/time-limit.ts'
import { HttpError } from '../endpoint.ts'
import { excerpt } from './answer-text.ts'

/** Bounds the memory that a schema can use: a longer array or string is not generated, and then does not fit. */
const maxLength = 10_000
const maxDepth = 24
/** Below this depth only required values are generated, so that recursion ends. */
const optionalDepth = 3

/**
 * The same schema and request give the same value.
 * @param request Its words and numbers are in the value, if they fit; without any, texts are the word `sandbox`.
 * @throws HttpError if no value was found, or the schema takes so long that the sandbox would serve nobody else.
 */
export async function sampleJson(schema: JsonObject, request: string, where: string): Promise<Json> {
  const failure = (reason: string): HttpError => new HttpError(400, `${where}: ${reason}`)
  try {
    const validate = await withinTimeLimit(await loadSchemaCompiler(schema))
    let problem: string | undefined
    // What does not fit may be optional, and is left out then.
    for (const depth of [optionalDepth, -1]) {
      const value = await withinTimeLimit(() => {
        const value = propose(schema, request, depth)
        problem = validate(value)
        return value
      })
      if (problem === undefined) return value
    }
    throw failure(`the sandbox found no value that fits: ${problem}`)
  } catch (error) {
    if (error instanceof InvalidSchemaError) throw failure(`not a JSON schema: ${error.message}`)
    if (error instanceof TimeLimitError) throw failure(`the sandbox cannot check it: ${error.message}`)
    throw error
  }
}

/** Generates a value that may fit. @param optionalDepth Below it, only required values are generated. */
function propose(root: JsonObject, request: string, optionalDepth: number): Json {
  /** @param property The name of the value's property. @param at The index in an array, so that its items differ. */
  function sampleValue(schema: Json, property: string, at: number, depth: number): Json {
    // In a recursion without end, ajv reports that this does not fit.
    if (depth > maxDepth) return null
    const isEnding = depth > optionalDepth
    const flat = flatten(schema, isEnding)
    if (flat['const'] !== undefined) return flat['const']
    if (Array.isArray(flat['enum'])) return chooseValue(flat['enum'], request, at)
    const type = typeOf(flat, isEnding)
    if (type === 'object') {
      const properties = isObject(flat['properties']) ? flat['properties'] : {}
      const required = arrayOrEmpty(flat['required']).map(String)
      const names = new Set([...(isEnding ? [] : Object.keys(properties)), ...required])
      const entries = [...names].map((name): [string, Json] => {
        const part = Object.hasOwn(properties, name) ? properties[name] : flat['additionalProperties']
        return [name, sampleValue(part ?? true, name, at, depth + 1)]
      })
      return Object.fromEntries(entries)
    }
    if (type === 'array') {
      const { items = true } = flat
      // A tuple; before draft 2020-12, `items` lists its schemas.
      const first = arrayOrEmpty(flat['prefixItems'] ?? items)
      return Array.from({ length: itemCount(flat, first.length, isEnding) }, (_, at) =>
        sampleValue(first[at] ?? items, property, at, depth + 1),
      )
    }
    if (type === 'boolean') return at % 2 === 0
    if (type === 'null') return null
    if (type === 'number' || type === 'integer') return sampleNumber(flat, type === 'integer', request, at)
    return sampleText(flat, request, property, at)
  }

  /** Resolves references and alternatives, and merges them with the other keywords of the schema. */
  function flatten(schema: Json, isEnding: boolean, followed: readonly string[] = []): JsonObject {
    // For `false`, ajv reports that nothing fits.
    if (!isObject(schema)) return {}
    const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema
    const parts = [...arrayOrEmpty(allOf), ...preferred(anyOf, isEnding), ...preferred(oneOf, isEnding)]
    const flat = parts.map((part) => flatten(part, isEnding, followed))
    if (typeof reference === 'string' && !followed.includes(reference)) {
      flat.push(flatten(resolve(reference), isEnding, [...followed, reference]))
    }
    return [own, ...flat].reduce(merge)
  }

  /** The part of the schema that a reference such as `#/$defs/node` points to. */
  function resolve(reference: string): Json {
    let part: unknown = root
    for (const step of pointerPath(decodeURIComponent(reference))) {
      part = part instanceof Object && Object.hasOwn(part, step) ? (part as JsonObject)[step] : undefined
    }
    return (part ?? {}) as Json
  }

  return sampleValue(root, '', 0, 0)
}

/** The first alternative that is not `null`; where recursion is to end, `null`, or one without a reference. */
function preferred(options: Json | undefined, isEnding: boolean): Json[] {
  const rank = (option: Json): number => {
    if (isObject(option) && option['type'] === 'null') return isEnding ? 0 : 2
    return isEnding && JSON.stringify(option).includes('"$ref"') ? 2 : 1
  }
  const ranked = arrayOrEmpty(options).toSorted((a, b) => rank(a) - rank(b))
  return ranked.slice(0, 1)
}

/** Merges two schemas. For keywords that cannot be merged the second wins; ajv reports a value that violates the first. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const [a, b] = [first['properties'], second['properties']]
  if (isObject(a) && isObject(b)) merged['properties'] = { ...a, ...b }
  merged['required'] = [...arrayOrEmpty(first['required']), ...arrayOrEmpty(second['required'])]
  return merged
}

function typeOf(schema: JsonObject, isEnding: boolean): Json | undefined {
  const { type, properties, items, prefixItems } = schema
  if (Array.isArray(type)) return type.find((one) => (one === 'null') === isEnding) ?? type[0]
  if (type !== undefined) return type
  if (properties !== undefined) return 'object'
  return items === undefined && prefixItems === undefined ? 'string' : 'array'
}

/** @param listed The number of schemas of a tuple. */
function itemCount({ items, minItems, maxItems }: JsonObject, listed: number, isEnding: boolean): number {
  const fewest = numberOr(minItems, 0)
  const usual = isEnding ? fewest : Math.max(fewest, listed || 2)
  return Math.min(usual, numberOr(maxItems, maxLength), items === false ? listed : maxLength)
}

/** One of the values of an `enum`, preferably one that the request names. */
function chooseValue(values: readonly Json[], request: string, at: number): Json {
  const words = request.toLowerCase()
  const named = values.filter((value) => value !== '' && words.includes(bareText(value).toLowerCase()))
  const ordered = [...new Set([...named, ...values])]
  return ordered[at % ordered.length] ?? null
}

function arrayOrEmpty(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

/** Generators of strings for some formats; `at` makes the items of an array differ. */
const formats = new Map<Json | undefined, (at: number) => string>([
  ['date-time', (at) => new Date(Date.UTC(2025, 5, 1 + at, 12)).toISOString()],
  ['date', (at) => new Date(Date.UTC(2025, 5, 1 + at)).toISOString().slice(0, 10)],
  ['time', (at) => `12:${String(at % 60).padStart(2, '0')}:00Z`],
  ['duration', (at) => `P${at + 1}D`],
  ['email', (at) => `person${at + 1}@example.com`],
  ['hostname', (at) => `host${at + 1}.example.com`],
  ['ipv4', (at) => `192.0.2.${(at % 254) + 1}`],
  ['ipv6', (at) => `2001:db8::${(at + 1).toString(16)}`],
  ['uri', (at) => `https://example.com/${at + 1}`],
  ['uuid', (at) => `00000000-0000-4000-8000-${(at + 1).toString(16).padStart(12, '0')}`],
])

function sampleText(schema: JsonObject, request: string, property: string, at: number): string {
  const format = formats.get(schema['format'])
  if (format) return format(at)
  const text = matchingText(request, property)
  // JSON schema counts characters, not UTF-16 units. The number comes first: at the end, truncation would remove it.
  const characters = [...(at === 0 ? text : `${at + 1} ${text}`)].slice(0, numberOr(schema['maxLength'], maxLength))
  const shortest = Math.min(numberOr(schema['minLength'], 0), maxLength)
  return characters.join('') + '.'.repeat(Math.max(0, shortest - characters.length))
}

function matchingText(request: string, property: string): string {
  if (request.trim() === '') return 'sandbox'
  if (/city|place|location|country/i.test(property)) {
    return /\b(?:in|at|for|to|from|of|near)\s+((?:\p{Lu}[\p{L}'-]+\s?)+)/u.exec(request)?.[1]?.trim() ?? 'Paris'
  }
  if (/name|person|author|user/i.test(property)) return 'Ada Lovelace'
  return excerpt(request, 40)
}

/** A number that the request names, or else a small one, if they are within the bounds. */
function sampleNumber(schema: JsonObject, isWhole: boolean, request: string, at: number): number {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const lowest = Math.max(numberOr(minimum, -Infinity), numberOr(above, -Infinity))
  const highest = Math.min(numberOr(maximum, Infinity), numberOr(below, Infinity))
  const named = Number(request.match(/-?\d+(?:\.\d+)?/g)?.[at])
  const fromLowest = [Math.ceil(lowest) + at, Math.floor(lowest) + 1 + at]
  const fromHighest = [Math.floor(highest) - at, Math.ceil(highest) - 1 - at]
  const isFitting = (number: number): boolean => {
    const isInBounds = number >= lowest && number <= highest && number !== above && number !== below
    return Number.isFinite(number) && isInBounds && (!isWhole || Number.isInteger(number))
  }
  // If none fits, ajv reports why.
  return [named, at + 1, ...fromLowest, ...fromHighest, (lowest + highest) / 2].find(isFitting) ?? at + 1
}
