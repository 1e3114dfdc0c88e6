/** Checks of a setting's value, whether it was typed, stands in the environment or in the file. */

import { checkKind } from '../fields/check.ts'
import { refusal } from '../fields/problem.ts'
import { parseNumber } from '../fields/parse.ts'
import type { Setting } from './table.ts'

export type Value = string | number | boolean

/**
 * @param where Names the value in the error.
 * @throws UsageError
 */
export function parseValue(row: Setting, text: string, where: string): Value {
  return checkValueOf(row, fromText(row, text), where)
}

/**
 * @returns the value in the form that is used.
 * @throws UsageError, which never shows a secret.
 */
export function checkValueOf(row: Setting, value: unknown, where: string): Value {
  const problem = checkKind(row.field, value)
  if (problem) throw refusal(where, row.secret ? { ...problem, found: 'what stands there' } : problem)
  if (value === '') throw refusal(where, { path: [], found: 'an empty text', expected: 'some text' })
  return typeof value === 'string' && row.normalise ? row.normalise(value, where) : (value as Value)
}

/** A text that means nothing for the kind stays a text, which the check then refuses. */
function fromText({ field }: Setting, text: string): unknown {
  if (field.kind === 'number') return parseNumber(text) ?? text
  if (field.kind !== 'boolean' && field.kind !== 'switch') return text
  return text === 'true' || text === 'false' ? text === 'true' : text
}
