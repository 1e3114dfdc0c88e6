/** Whether a value fits a JSON schema. Formats are not looked at: what is made for them comes from a table. */

import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../io/json.ts'
import { resolve } from './flatten.ts'

type Check = (rule: Json, value: Json, place: { readonly schema: JsonObject; readonly root: Json }) => boolean

export function fits(schema: Json | undefined, value: Json, root: Json): boolean {
  if (schema === false) return false
  if (!isObject(schema)) return true
  return Object.entries(schema).every(([keyword, rule]) => checks[keyword]?.(rule, value, { schema, root }) ?? true)
}

const checks: Readonly<Record<string, Check>> = {
  $ref: (rule, value, { root }) => typeof rule !== 'string' || fits(resolve(rule, root), value, root),
  allOf: (rule, value, { root }) => list(rule).every((part) => fits(part, value, root)),
  anyOf: (rule, value, { root }) => list(rule).some((part) => fits(part, value, root)),
  oneOf: (rule, value, { root }) => list(rule).filter((part) => fits(part, value, root)).length === 1,
  not: (rule, value, { root }) => !fits(rule, value, root),
  if: (rule, value, { schema, root }) => fits(fits(rule, value, root) ? schema['then'] : schema['else'], value, root),
  const: (rule, value) => isDeepStrictEqual(rule, value),
  enum: (rule, value) => list(rule).some((entry) => isDeepStrictEqual(entry, value)),
  type: (rule, value) => [rule].flat().some((name) => hasType(value, name)),

  minimum: (rule, value) => typeof value !== 'number' || value >= Number(rule),
  maximum: (rule, value) => typeof value !== 'number' || value <= Number(rule),
  exclusiveMinimum: (rule, value) => typeof value !== 'number' || value > Number(rule),
  exclusiveMaximum: (rule, value) => typeof value !== 'number' || value < Number(rule),
  multipleOf: (rule, value) => typeof value !== 'number' || Number.isInteger(value / Number(rule)),

  minLength: (rule, value) => typeof value !== 'string' || Array.from(value).length >= Number(rule),
  maxLength: (rule, value) => typeof value !== 'string' || Array.from(value).length <= Number(rule),
  pattern: (rule, value) => typeof value !== 'string' || typeof rule !== 'string' || matches(rule, value),

  minItems: (rule, value) => !Array.isArray(value) || value.length >= Number(rule),
  maxItems: (rule, value) => !Array.isArray(value) || value.length <= Number(rule),
  uniqueItems: (rule, value) => rule !== true || !Array.isArray(value) || isUnique(value),
  prefixItems: (rule, value, { root }) =>
    !Array.isArray(value) || list(rule).every((part, at) => value[at] === undefined || fits(part, value[at], root)),
  items: (rule, value, { schema, root }) => !Array.isArray(value) || itemsFit(rule, value, schema, root),
  contains: (rule, value, { root }) => !Array.isArray(value) || value.some((item) => fits(rule, item, root)),

  required: (rule, value) =>
    !isObject(value) || list(rule).every((name) => typeof name !== 'string' || Object.hasOwn(value, name)),
  minProperties: (rule, value) => !isObject(value) || Object.keys(value).length >= Number(rule),
  maxProperties: (rule, value) => !isObject(value) || Object.keys(value).length <= Number(rule),
  properties: (rule, value, { root }) =>
    !isObject(value) || entries(value).every(([name, entry]) => fits(own(rule, name), entry, root)),
  patternProperties: (rule, value, { root }) =>
    !isObject(value) ||
    entries(value).every(([name, entry]) => patternsFor(rule, name).every((part) => fits(part, entry, root))),
  additionalProperties: (rule, value, { schema, root }) =>
    !isObject(value) || entries(value).every(([name, entry]) => isNamed(schema, name) || fits(rule, entry, root)),
  propertyNames: (rule, value, { root }) =>
    !isObject(value) || Object.keys(value).every((name) => fits(rule, name, root)),
}

export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // Not a pattern: there is nothing to fit.
    return true
  }
}

export function isUnique(items: readonly Json[]): boolean {
  return items.every((item, at) => !items.slice(0, at).some((other) => isDeepStrictEqual(item, other)))
}

function list(rule: Json): Json[] {
  return Array.isArray(rule) ? rule : []
}

function entries(value: JsonObject): [string, Json][] {
  return Object.entries(value)
}

function own(rule: Json, name: string): Json | undefined {
  return isObject(rule) && Object.hasOwn(rule, name) ? rule[name] : undefined
}

function patternsFor(rule: Json | undefined, name: string): Json[] {
  return isObject(rule) ? entries(rule).flatMap(([pattern, part]) => (matches(pattern, name) ? [part] : [])) : []
}

function isNamed(schema: JsonObject, name: string): boolean {
  return (
    own(schema['properties'] ?? {}, name) !== undefined || patternsFor(schema['patternProperties'], name).length > 0
  )
}

// Older drafts write the first items as an array under `items`.
function itemsFit(rule: Json, value: Json[], schema: JsonObject, root: Json): boolean {
  const first = Array.isArray(rule) ? rule : list(schema['prefixItems'] ?? [])
  if (Array.isArray(rule)) return first.every((part, at) => value[at] === undefined || fits(part, value[at], root))
  return value.slice(first.length).every((item) => fits(rule, item, root))
}

function hasType(value: Json, name: Json): boolean {
  if (name === 'null') return value === null
  if (name === 'array') return Array.isArray(value)
  if (name === 'object') return isObject(value)
  return name === 'integer' ? Number.isInteger(value) : typeof value === name
}
