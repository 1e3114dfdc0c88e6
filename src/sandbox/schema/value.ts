/** A JSON value that fits a schema: likely values are made, and the first one that fits is taken. */

import { isObject, type Json, type JsonObject } from '../../io/json.ts'
import { fits } from './fits.ts'
import { flatten, merge } from './flatten.ts'
import { arraysFor, objectsFor } from './nested.ts'
import { numbersFor } from './numbers.ts'
import { isDeep, type Place } from './place.ts'
import type { Source } from './source.ts'
import { textsFor } from './texts.ts'

const deepest = 24
/** Schemas that nothing fits must not keep the sandbox busy. */
const mostTries = 20_000

/** @returns nothing when no value was found that fits. */
export function valueFor(schema: Json, source: Source): Json | undefined {
  const place: Place = {
    root: schema,
    source,
    property: '',
    at: 0,
    depth: 0,
    tries: { left: mostTries },
    fit: firstFit,
  }
  try {
    return firstFit(schema, place)
  } catch (error) {
    // A reference that leads to itself, such as {"$ref":"#"}, is followed until the stack ends.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function firstFit(schema: Json, place: Place): Json | undefined {
  // Counted here too: a recursion without an end makes no values, but ever more places for them.
  place.tries.left--
  for (const value of candidates(schema, place)) {
    if (--place.tries.left < 0) return undefined
    if (fits(schema, value, place.root)) return value
  }
  return undefined
}

function* candidates(schema: Json, place: Place): Generator<Json> {
  const flat = flatten(schema, place.root)
  if (!flat || place.depth > deepest || place.tries.left < 0) return
  if ('const' in flat) return yield flat['const']
  if (Array.isArray(flat['enum'])) return yield* mentionedFirst(flat['enum'], place)
  const { anyOf, oneOf, if: condition, then, else: otherwise, ...base } = flat
  const options = [anyOf, oneOf].filter(Array.isArray)
  if (options.length > 0) {
    for (const option of options.flatMap((list) => inOrder(list, place))) {
      const part = flatten(option, place.root)
      if (part) yield* candidates(merge(base, part), place)
    }
    return
  }
  if (condition !== undefined) {
    const parts = [condition, then].map((part) => flatten(part, place.root) ?? {})
    yield* candidates(parts.reduce(merge, base), place)
    yield* candidates(merge(base, flatten(otherwise, place.root) ?? {}), place)
  }
  for (const type of typesOf(base, place)) yield* ofType(type, base, place)
}

function* ofType(type: Json, schema: JsonObject, place: Place): Generator<Json> {
  const { source, property, at } = place
  if (type === 'string') yield* textsFor(schema, source, property, at)
  if (type === 'number' || type === 'integer') yield* numbersFor(schema, type === 'integer', source, at)
  if (type === 'boolean') yield* at % 2 === 0 ? [true, false] : [false, true]
  if (type === 'null') yield null
  if (type === 'array') yield* arraysFor(schema, place)
  if (type === 'object') yield* objectsFor(schema, place)
}

/** `null` comes last, except in the depths, where it may be the only way out of a recursion. */
function typesOf(schema: JsonObject, place: Place): Json[] {
  if (schema['type'] !== undefined) return inOrder([schema['type']].flat(), place)
  const has = (...keywords: string[]): boolean => keywords.some((keyword) => keyword in schema)
  if (has('properties', 'required', 'additionalProperties', 'minProperties')) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'contains')) return ['array']
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return ['number']
  return ['string', 'integer', 'boolean', 'object', 'array', 'null']
}

function inOrder(options: Json[], place: Place): Json[] {
  const isNull = (option: Json): boolean => option === 'null' || (isObject(option) && option['type'] === 'null')
  const [ends, others] = [options.filter(isNull), options.filter((option) => !isNull(option))]
  if (isDeep(place)) return [...ends, ...others.toSorted((a, b) => size(a) - size(b))]
  const turned = others.length === 0 ? 0 : place.at % others.length
  return [...others.slice(turned), ...others.slice(0, turned), ...ends]
}

/** References are what recursions are made of. */
function size(option: Json): number {
  return JSON.stringify(option).includes('"$ref"') ? 1 : 0
}

function mentionedFirst(values: Json[], { source, at }: Place): Json[] {
  const request = source.request.toLowerCase()
  const spoken = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase()
  const isMentioned = (value: Json): boolean => value !== '' && request.includes(spoken(value))
  const order = [...values.filter(isMentioned), ...values.filter((value) => !isMentioned(value))]
  const turned = order.length === 0 ? 0 : at % order.length
  return [...order.slice(turned), ...order.slice(0, turned)]
}
