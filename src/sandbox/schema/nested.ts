/** Arrays and objects, made of values that fit their parts. */

import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../io/json.ts'
import { matches } from './fits.ts'
import { textsForPattern } from './pattern.ts'
import { isDeep, type Place } from './place.ts'

const usualItems = 2
const mostItems = 1000

export function* arraysFor(schema: JsonObject, place: Place): Generator<Json> {
  const { items, prefixItems, contains, minItems, maxItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? (schema['additionalItems'] ?? true) : (items ?? true)
  const fewest = Math.min(numberOr(minItems, 0), mostItems)
  const usual = isDeep(place) ? fewest : Math.max(fewest, first.length, usualItems)
  for (const count of new Set([Math.min(usual, numberOr(maxItems, Infinity)), fewest])) {
    const made = itemsFor(count, first, rest, schema['uniqueItems'] === true, place)
    if (made && contains !== undefined) {
      const wanted = place.fit(contains, inner(place, place.property, 0))
      if (wanted !== undefined) yield [...made.slice(0, -1), wanted]
      if (wanted !== undefined) yield [...made, wanted]
    }
    if (made) yield made
  }
}

function itemsFor(count: number, first: Json[], rest: Json, isUnique: boolean, place: Place): Json[] | undefined {
  const made: Json[] = []
  for (let at = 0; made.length < count; at++) {
    const value = place.fit(first[made.length] ?? rest, inner(place, place.property, at))
    if (value === undefined || at > count + mostItems) return undefined
    if (!isUnique || !made.some((other) => isDeepStrictEqual(other, value))) made.push(value)
  }
  return made
}

export function* objectsFor(schema: JsonObject, place: Place): Generator<Json> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : [])
  const names = [...new Set([...Object.keys(properties), ...required])]
  const needed = names.filter((name) => required.has(name))
  const choices = isDeep(place) ? [needed, names] : [names, needed]
  for (const chosen of needed.length === names.length ? [names] : choices) {
    const made = entriesFor(chosen, schema, required, place)
    if (made) yield filled(made, schema, place)
  }
}

/** @returns nothing when a required property can't be had; an optional one is then left out. */
function entriesFor(
  names: readonly string[],
  schema: JsonObject,
  required: ReadonlySet<string>,
  place: Place,
): JsonObject | undefined {
  const entries: [string, Json][] = []
  const most = numberOr(schema['maxProperties'], Infinity)
  const room = { left: most - required.size }
  for (const name of names) {
    if (!required.has(name) && room.left-- <= 0) continue
    const value = place.fit(schemaOf(name, schema), inner(place, name, place.at))
    if (value !== undefined) entries.push([name, value])
    else if (required.has(name)) return undefined
  }
  return Object.fromEntries(entries)
}

/** More properties, where `minProperties` asks for more than have names. */
function filled(made: JsonObject, schema: JsonObject, place: Place): JsonObject {
  const fewest = Math.min(numberOr(schema['minProperties'], 0), mostItems)
  const patterns = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  const entries = new Map(Object.entries(made))
  for (let at = 0; entries.size < fewest && at < fewest + mostItems; at++) {
    const [matching] = patterns.flatMap((pattern) => [...textsForPattern(pattern, 0, at)].slice(0, 1))
    const name = matching ?? `key${at + 1}`
    const value = entries.has(name) ? undefined : place.fit(schemaOf(name, schema), inner(place, name, at))
    if (value !== undefined) entries.set(name, value)
  }
  return Object.fromEntries(entries)
}

function schemaOf(name: string, schema: JsonObject): Json {
  const { properties, patternProperties, additionalProperties } = schema
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name] ?? true
  const found = isObject(patternProperties)
    ? Object.entries(patternProperties).find(([at]) => matches(at, name))
    : undefined
  return found?.[1] ?? additionalProperties ?? true
}

function inner(place: Place, property: string, at: number): Place {
  return { ...place, property, at, depth: place.depth + 1 }
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
