/** From what was typed after flags to checked values. */

import type { Io } from '../io/io.ts'
import { quote } from '../io/json.ts'
import { readArgument, readList, readText } from './document.ts'
import { flagOf, type Field, type Fields, type Values } from './field.ts'
import { kindOf, type Rejection } from './kinds.ts'
import { suggestion } from './nearest.ts'
import { invalidValue, type Problem } from './problem.ts'

/** A flag as commander leaves it: its text, several texts, or whether it stood there plain or as `--no-…`. */
export type Typed = string | string[] | boolean

/**
 * Parses and checks the flags of one table.
 * @param typed By row name; rows that were not typed are absent.
 * @param nameOf What errors call a row that was typed elsewhere than as a flag.
 * @throws UsageError naming the flag, the value and what is accepted.
 */
export async function parseFlags<F extends Fields>(
  fields: F,
  typed: ReadonlyMap<string, Typed>,
  io: Io,
  nameOf: (name: string) => string = flagOf,
): Promise<Values<F>> {
  const values: Record<string, unknown> = {}
  for (const [name, raw] of typed) {
    const field = fields[name]
    if (field) values[name] = await parseFlag(field, nameOf(name), raw, io)
  }
  return values as Values<F>
}

async function parseFlag(field: Field, flag: string, raw: Typed, io: Io): Promise<unknown> {
  if (typeof raw === 'boolean') return raw
  const kind = kindOf(field)
  const value = kind.read
    ? await kind.read(field, raw, {
        text: (text) => readText(text, flag, io),
        json: (text) => readArgument(text, flag, io),
        list: (path, shape) => readList(path, flag, io, shape),
        invalid: (found, rejection) => invalidValue(flag, problemWith(found, rejection)),
      })
    : kind.fromText(field, String(raw))
  if (typeof value === 'number') checkExact(flag, String(raw))
  const problem = kind.isCheckedWhenRead ? undefined : await checkValue(field, value)
  if (problem) throw invalidValue(flag, problem)
  return value
}

/** @throws UsageError for a whole number that JavaScript would send changed. */
export function checkExact(flag: string, text: string): void {
  if (!/^[+-]?\d+$/.test(text) || Number.isSafeInteger(Number(text))) return
  const expected = `a whole number of at most ${Number.MAX_SAFE_INTEGER}`
  throw invalidValue(flag, { path: [], found: JSON.stringify(text), expected })
}

/**
 * Whether a value may stand in a field. The same check serves flags, documents and the sandbox.
 * @returns the first problem, or nothing when the field accepts the value.
 */
export async function checkValue(field: Field, value: unknown): Promise<Problem | undefined> {
  const problem = checkKind(field, value)
  if (problem || typeof value === 'string' || !('shape' in field) || !field.shape) return problem
  const [shape, { findProblem }] = await Promise.all([field.shape(), import('./shape.ts')])
  return findProblem(shape, value)
}

/** The part of `checkValue` that does not look into nested documents. */
export function checkKind(field: Field, value: unknown): Problem | undefined {
  const rejection = kindOf(field).check(field, value)
  return rejection && problemWith(value, rejection)
}

function problemWith(value: unknown, { expected, typo, key }: Rejection): Problem {
  const whole = typo ? expected + suggestion(typo.word, typo.among) : expected
  if (key === undefined) return { path: [], found: quote(value), expected: whole }
  return { path: [key], found: quote((value as Record<string, unknown>)[key]), expected: whole }
}
