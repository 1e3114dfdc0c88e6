/** Whether a value may stand in a field. The same check serves flags, documents and the sandbox. */

import { UsageError } from '../errors.ts'
import type { Field, Fields } from './field.ts'
import { isObject, jsonPath, quote, type JsonObject } from './json.ts'
import { isModelName, modelAliases } from './model.ts'
import { suggestion } from './nearest.ts'

/** What is wrong with a value: where in it, what was found there, and what is accepted. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly found: string
  readonly expected: string
}

/** `--temperature: 3 is not accepted; expected a number from 0 to 2` */
export function refusal(where: string, problem: Problem): UsageError {
  const place = problem.path.length === 0 ? where : `${where}: ${jsonPath(problem.path)}`
  if (problem.found === 'missing') return new UsageError(`${place} is missing; ${problem.expected}`)
  return new UsageError(`${place}: ${problem.found} is not accepted; expected ${problem.expected}`)
}

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
    case 'boolean or number':
      return typeof value === 'boolean' || isInRange(field, value)
        ? undefined
        : fail(`true, false or ${rangeText(field)}`)
    case 'texts':
      if (field.shape ? Array.isArray(value) : isTexts(value)) return undefined
      return field.single && typeof value === 'string' ? undefined : fail(textsText(field.single))
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

type Range = { readonly minimum?: number; readonly maximum?: number; readonly whole?: true }

function isInRange(range: Range, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (range.whole && !Number.isSafeInteger(value)) return false
  return value >= (range.minimum ?? -Infinity) && value <= (range.maximum ?? Infinity)
}

/** `a whole number, at least 1`, `a number from 0 to 2` */
export function rangeText({ minimum, maximum, whole }: Range): string {
  const noun = whole ? 'a whole number' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${noun}, at least ${minimum}`
  if (maximum !== undefined) return `${noun}, at most ${maximum}`
  return noun
}

function checkEntries(range: Range, value: JsonObject): Problem | undefined {
  const wrong = Object.entries(value).find(([, entry]) => !isInRange(range, entry))
  return wrong && { path: [wrong[0]], found: quote(wrong[1]), expected: rangeText(range) }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function textsText(single: true | undefined): string {
  return single ? 'a string or an array of strings' : 'an array of strings'
}

/** `low, medium or high`, and the one that was likely meant. */
export function choicesText(choices: readonly string[], given: unknown): string {
  const [last = '', ...others] = choices.toReversed()
  const list = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`
  return list + suggestion(given, choices)
}

function modelText(given: unknown, aliases: false | undefined): string {
  if (aliases === false) return 'a name that starts with hf:'
  const known = `a name that starts with hf:, or an alias: ${modelAliases.join(', ')}`
  if (typeof given !== 'string') return known
  // Organisation and name, as the hub writes them: only the prefix is missing.
  if (/^[\w.-]+\/[\w.-]+$/.test(given)) return `${known} (did you mean hf:${given}?)`
  return known + suggestion(`syn:${given.replace(/^syn:?/, '')}`, modelAliases)
}
