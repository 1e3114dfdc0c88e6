/** A schema without references and `allOf`, as far as that can be said in one object. */

import { isObject, type Json, type JsonObject } from '../../io/json.ts'

/** References that lead to references are followed so far. */
const longestChain = 32

const highest = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const lowest = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])

/** @returns nothing for `false`, which nothing fits. */
export function flatten(schema: Json | undefined, root: Json, chain = 0): JsonObject | undefined {
  if (schema === false) return undefined
  if (!isObject(schema) || chain > longestChain) return {}
  const { $ref: reference, allOf, ...own } = schema
  const parts = [
    ...(typeof reference === 'string' ? [resolve(reference, root)] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ]
  let merged: JsonObject = own
  for (const part of parts) {
    const flat = flatten(part, root, chain + 1)
    if (!flat) return undefined
    merged = merge(merged, flat)
  }
  return merged
}

/** The part of a document that a reference such as `#/$defs/node` names; what can't be found allows everything. */
export function resolve(reference: string, root: Json): Json {
  if (!reference.startsWith('#')) return true
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1)
  let place: Json | undefined = root
  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    place = Array.isArray(place) ? place[Number(key)] : isObject(place) ? place[key] : undefined
  }
  return place ?? true
}

/** Both at once. Where that can't be said the second wins: what is made of it is checked against the whole schema. */
export function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const before = first[key]
    merged[key] = before === undefined ? value : both(key, before, value)
  }
  return merged
}

function both(key: string, before: Json, value: Json): Json {
  if (highest.has(key)) return Math.max(Number(before), Number(value))
  if (lowest.has(key)) return Math.min(Number(before), Number(value))
  if (key === 'properties' && isObject(before) && isObject(value)) return bothProperties(before, value)
  if (!Array.isArray(before) && !Array.isArray(value)) return value
  const [a, b] = [toList(before), toList(value)]
  if (key === 'required') return [...new Set([...a, ...b])]
  if (key === 'type') return a.filter((name) => b.includes(name) || (name === 'integer' && b.includes('number')))
  if (key === 'enum') return a.filter((entry) => b.some((other) => JSON.stringify(other) === JSON.stringify(entry)))
  return value
}

function bothProperties(before: JsonObject, value: JsonObject): JsonObject {
  const merged = { ...before }
  for (const [name, schema] of Object.entries(value)) {
    const other = before[name]
    merged[name] = other === undefined ? schema : { allOf: [other, schema] }
  }
  return merged
}

function toList(value: Json): Json[] {
  return Array.isArray(value) ? value : [value]
}
