/** Whether a value may stand in a field. The same check serves flags, documents and the sandbox. */

import type { Field, Fields } from './field.ts'
import { isObject, quote, type JsonObject } from '../io/json.ts'
import { isModelName, modelAliases } from './model.ts'
import { suggestion } from './nearest.ts'
import { choicesText, rangeText, type Problem, type Range } from './problem.ts'

/** @returns the first problem with a value, or nothing when the field accepts it. */
export async function checkValue(field: Field, value: unknown): Promise<Problem | undefined> {
  const problem = checkKind(field, value)
  if (problem || typeof value === 'string' || !('shape' in field) || !field.shape) return problem
  const [shape, { findProblem }] = await Promise.all([field.shape(), import('./shape.ts')])
  return findProblem(shape, value)
}

/**
 * Checks the fields that a body has. Keys without a row are accepted: the service may know more than the specification
 * tells.
 * @returns the first problem, its path starting with the key.
 */
export async function checkBody(fields: Fields, body: JsonObject): Promise<Problem | undefined> {
  for (const [name, field] of Object.entries(fields)) {
    const value = body[name]
    const problem = value === undefined ? undefined : await checkValue(field, value)
    if (problem) return { ...problem, path: [name, ...problem.path] }
  }
  return undefined
}

/** The first required field that a body lacks. */
export function missingField(fields: Fields, body: JsonObject): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.required && body[name] === undefined)
}

export function checkKind(field: Field, value: unknown): Problem | undefined {
  const fail = (expected: string): Problem => ({ path: [], found: quote(value), expected })
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return fail('a string')
      if (field.choices && !field.choices.includes(value)) return fail(choicesText(field.choices, value))
      return undefined
    case 'model':
      if (typeof value !== 'string' || !isModelName(value)) return fail(modelText(value, field.aliases))
      return field.aliases === false && !value.startsWith('hf:') ? fail(modelText(value, false)) : undefined
    case 'number':
      return isInRange(field, value) ? undefined : fail(rangeText(field))
    case 'boolean':
    case 'switch':
      return typeof value === 'boolean' ? undefined : fail('true or false')
    case 'switch or number':
      return value === true || isInRange(field, value) ? undefined : fail(rangeText(field))
    case 'boolean or number':
      return typeof value === 'boolean' || isInRange(field, value)
        ? undefined
        : fail(`true, false or ${rangeText(field)}`)
    case 'texts':
      if (field.shape ? Array.isArray(value) : isTexts(value)) return undefined
      return field.single && typeof value === 'string' ? undefined : fail(textsText(field))
    case 'object':
      if (!isObject(value)) return fail('an object')
      return field.values ? checkEntries(field.values, value) : undefined
    case 'choice or object':
      if (isObject(value)) return undefined
      if (typeof value === 'string' && field.choices.includes(value)) return undefined
      return fail(choicesText([...field.choices, 'an object'], value))
    case 'array':
    case 'document':
      return Array.isArray(value) ? undefined : fail('an array')
  }
}

function isInRange(range: Range, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (range.whole && !Number.isSafeInteger(value)) return false
  return value >= (range.minimum ?? -Infinity) && value <= (range.maximum ?? Infinity)
}

function checkEntries(range: Range, value: JsonObject): Problem | undefined {
  const wrong = Object.entries(value).find(([, entry]) => !isInRange(range, entry))
  return wrong && { path: [wrong[0]], found: quote(wrong[1]), expected: rangeText(range) }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function textsText({ single, shape }: Extract<Field, { kind: 'texts' }>): string {
  const list = shape ? 'an array' : 'an array of strings'
  return single ? `a string or ${list}` : list
}

function modelText(given: unknown, aliases: false | undefined): string {
  if (aliases === false) return 'a name that starts with hf:'
  const known = `a name that starts with hf:, or an alias: ${modelAliases.join(', ')}`
  if (typeof given !== 'string') return known
  // Organisation and name, as the hub writes them: only the prefix is missing.
  if (/^[\w.-]+\/[\w.-]+$/.test(given)) return `${known} (did you mean hf:${given}?)`
  return known + suggestion(`syn:${given.replace(/^syn:?/, '')}`, modelAliases)
}
