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
 * @param request Its words are in the texts; without any, texts are the word `sandbox`.
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
    const values = arrayOrEmpty(flat['enum'])
    // Preferably one that the request names.
    const named = values.filter(
      (value) => value !== '' && request.toLowerCase().includes(bareText(value).toLowerCase()),
    )
    if (values.length > 0) return [...new Set([...named, ...values])][at % values.length] ?? null
    const { items = true, minItems, maxItems } = flat
    switch (typeOf(flat, isEnding)) {
      case 'object': {
        const properties = isObject(flat['properties']) ? flat['properties'] : {}
        const required = arrayOrEmpty(flat['required']).map(String)
        const names = new Set([...(isEnding ? [] : Object.keys(properties)), ...required])
        const sample = (name: string): [string, Json] => {
          const part = Object.hasOwn(properties, name) ? properties[name] : flat['additionalProperties']
          return [name, sampleValue(part ?? true, name, at, depth + 1)]
        }
        return Object.fromEntries([...names].map(sample))
      }
      case 'array': {
        // A tuple; before draft 2020-12, `items` lists its schemas.
        const first = arrayOrEmpty(flat['prefixItems'] ?? items)
        const fewest = numberOr(minItems, 0)
        const usual = isEnding ? fewest : Math.max(fewest, first.length || 2)
        const length = Math.min(usual, numberOr(maxItems, maxLength), items === false ? first.length : maxLength)
        return Array.from({ length }, (_, at) => sampleValue(first[at] ?? items, property, at, depth + 1))
      }
      case 'boolean':
        return at % 2 === 0
      case 'null':
        return null
      case 'number':
      case 'integer':
        return sampleNumber(flat, at)
      default:
        return sampleText(flat, request, property, at)
    }
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
  const isNull = (option: Json): boolean => isObject(option) && option['type'] === 'null'
  const all = arrayOrEmpty(options)
  const isPlain = (option: Json): boolean => !JSON.stringify(option).includes('"$ref"')
  const first = isEnding ? (all.find(isNull) ?? all.find(isPlain)) : all.find((option) => !isNull(option))
  return [first ?? all[0] ?? []].flat()
}

/** Merges two schemas. For keywords that cannot be merged the second wins; ajv reports a value that violates the first. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const [a, b] = [first['properties'], second['properties']]
  if (isObject(a) && isObject(b)) merged['properties'] = { ...a, ...b }
  merged['required'] = [...arrayOrEmpty(first['required']), ...arrayOrEmpty(second['required'])]
  return merged
}

function typeOf({ type, properties, items, prefixItems }: JsonObject, isEnding: boolean): string {
  const types = [type ?? []].flat().map((one) => bareText(one))
  const [only] = types
  if (only !== undefined) return types.find((one) => (one === 'null') === isEnding) ?? only
  if (properties !== undefined) return 'object'
  return items === undefined && prefixItems === undefined ? 'string' : 'array'
}

function arrayOrEmpty(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

const formats = new Map<Json | undefined, string>([
  ['date-time', '2025-06-01T12:00:00Z'],
  ['date', '2025-06-01'],
  ['time', '12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'person@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000001'],
])

function sampleText(schema: JsonObject, request: string, property: string, at: number): string {
  const format = formats.get(schema['format'])
  if (format !== undefined) return format
  const text = request.trim() === '' ? 'sandbox' : /name/i.test(property) ? 'Ada Lovelace' : excerpt(request, 40)
  // JSON schema counts characters, not UTF-16 units. The number comes first: at the end, truncation would remove it.
  const characters = [...(at === 0 ? text : `${at + 1} ${text}`)].slice(0, numberOr(schema['maxLength'], maxLength))
  return characters.join('').padEnd(Math.min(numberOr(schema['minLength'], 0), maxLength), '.')
}

/** A small number, or one near a bound. If none fits, ajv reports why. */
function sampleNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject, at: number): number {
  const lowest = numberOr(minimum ?? exclusiveMinimum, -Infinity)
  const highest = numberOr(maximum ?? exclusiveMaximum, Infinity)
  const usual = [at + 1, Math.ceil(lowest) + at, Math.floor(lowest) + 1 + at, Math.floor(highest) - at]
  const all = [...usual, Math.ceil(highest) - 1 - at, ...(type === 'integer' ? [] : [(lowest + highest) / 2])]
  const isFitting = (number: number): boolean => {
    const isInBounds = number >= lowest && number <= highest
    return isInBounds && number !== exclusiveMinimum && number !== exclusiveMaximum
  }
  return all.find((number) => Number.isFinite(number) && isFitting(number)) ?? at + 1
}
