/** Checks of a setting's value, whether it was typed, stands in the environment or in the file. */

import { kindOf } from '../fields/kinds.ts'
import { checkKind } from '../fields/parse.ts'
import { invalidValue } from '../fields/problem.ts'
import type { Setting } from './table.ts'

export type Value = string | number | boolean

/**
 * @param where Names the value in the error.
 * @throws UsageError
 */
export function parseValue(row: Setting, text: string, where: string): Value {
  return checkValueOf(row, kindOf(row.field).fromText(row.field, text), where)
}

/**
 * @returns the value in the form that is used.
 * @throws UsageError, which never shows a secret.
 */
export function checkValueOf(row: Setting, value: unknown, where: string): Value {
  const problem = checkKind(row.field, value)
  if (problem) throw invalidValue(where, row.secret ? { ...problem, found: 'what stands there' } : problem)
  if (value === '') throw invalidValue(where, { path: [], found: 'an empty text', expected: 'some text' })
  return typeof value === 'string' && row.normalise ? row.normalise(value, where) : (value as Value)
}

/** The default, where the row holds a value and not words about it, such as `on a terminal`. */
export function defaultOf({ field }: Setting): Value | undefined {
  return checkKind(field, field.default) ? undefined : field.default
}
