/** Parses flags into checked values. Documents and the sandbox's requests go through the same checks. */

import type { Io } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { flagOf, type Field, type Fields, type LoadShape, type Values } from './field.ts'
import { kindOf, type Rejection } from './kinds.ts'
import { suggestion } from './suggestion.ts'
import { acceptedInsteadOf } from './numbers.ts'
import { cannotBeCombined, invalidValue, orList, type Problem } from './problem.ts'

/** A flag as commander returns it: its text, several texts, `true` for a flag without a value, `false` for `--no-…`. */
export type RawFlag = string | string[] | boolean

/** Which options a positional argument goes with. */
export interface ArgumentRules {
  readonly name: string
  /** Names of the command's specs that it cannot be combined with. */
  readonly exclusive?: readonly string[]
}

/**
 * Checks combinations before any value is read. `--no-name` and empty arguments combine with everything.
 * @throws UsageError for the first option that cannot be combined with another one given.
 */
export function checkCombinations(
  specs: Fields,
  positionals: readonly ArgumentRules[],
  { typed, words }: { readonly typed: ReadonlyMap<string, RawFlag>; readonly words: readonly string[] },
): void {
  const hasWords = words.some((word) => word !== '')
  const options = Object.entries(specs).filter(([name]) => (typed.get(name) ?? false) !== false)
  const given = [
    ...options.map(([name, spec]) => ({ ...spec, name, term: flagOf(name) })),
    // In capitals, as in help: a field may have the same name.
    ...(hasWords ? positionals : []).map(({ name, exclusive }) => {
      const term = name.toUpperCase()
      return { name: term, term, exclusive }
    }),
  ]
  for (const one of given) {
    const others = given.filter((other) => one.exclusive?.includes(other.name) || other.exclusive?.includes(one.name))
    if (others.length === 0) continue
    throw cannotBeCombined([one, ...others].map(({ term }) => term))
  }
}

/** Parses and checks the flags of one table. @throws UsageError naming the flag, the value and what is accepted. */
export async function parseFlags<F extends Fields>(
  fields: F,
  typed: ReadonlyMap<string, RawFlag>,
  io: Io,
): Promise<Values<F>> {
  const values: Record<string, unknown> = {}
  for (const [name, raw] of typed) {
    const field = fields[name]
    if (field) values[name] = await parseFlag(field, flagOf(name), raw, io)
  }
  return values as Values<F>
}

/** Whether the value is to be read from a file or standard input, or may be. */
export function mayNameFile(field: Field, raw: RawFlag): boolean {
  if (field.kind !== 'text' && field.kind !== 'texts') return typeof raw === 'string' && Boolean(kindOf(field).read)
  return Boolean(field.file) && [raw].flat().some((text) => String(text).startsWith('@'))
}

/** Loaded on first use: most flags name no document. */
const documents = () => import('./document.ts')

/** Parses and checks one value. @param flag Its name in errors. @throws UsageError as `parseFlags`. */
export async function parseFlag(field: Field, flag: string, raw: RawFlag, io: Io): Promise<unknown> {
  if (typeof raw === 'boolean') return raw
  const kind = kindOf(field)
  if (Array.isArray(raw) && !kind.read) return Promise.all(raw.map((one) => parseFlag(field, flag, one, io)))
  const value = kind.read
    ? await kind.read(field, raw, {
        text: async (text) => (await documents()).readTextArgument(text, flag, io),
        json: async (text, neither) => {
          const rejected = neither && ((): Error => invalidValue(flag, toProblem(text, neither)))
          return (await documents()).readJson(text, flag, io, rejected)
        },
        list: async (text, shape) => (await documents()).readList(text, flag, io, shape),
        files: async (pattern) => (await import('./pattern.ts')).filesMatching(pattern),
      })
    : kind.fromText(field, String(raw))
  const isWhole = typeof value === 'number' && /^[+-]?\d+$/.test(String(raw))
  const expected = isWhole ? acceptedInsteadOf(String(raw)) : undefined
  if (expected !== undefined) throw invalidValue(flag, { path: [], found: JSON.stringify(raw), expected })
  const problem = kind.isCheckedWhenRead ? undefined : await checkValue(field, value, true)
  if (problem && value === undefined) throw invalidValue(flag, { ...problem, found: quote(raw) })
  if (problem) throw invalidValue((await documents()).sourceOf(value) ?? flag, problem)
  return value
}

/** @param isText Whether the value was parsed from a text, of which more is accepted. @returns the first problem. */
export async function checkValue(field: Field, value: unknown, isText = false): Promise<Problem | undefined> {
  const problem = checkKind(field, value, isText)
  if (problem || typeof value === 'string' || !('shape' in field) || !field.shape) return problem
  const check = shapeChecks.get(field.shape) ?? (await loadShapeCheck(field.shape))
  return check(value)
}

type ShapeCheck = (value: unknown) => Problem | undefined

/** Loaded once: an import takes longer than a check, of which a file of requests needs millions. */
const shapeChecks = new Map<LoadShape, ShapeCheck>()

async function loadShapeCheck(load: LoadShape): Promise<ShapeCheck> {
  const [shape, { findProblem }] = await Promise.all([load(), import('./shape.ts')])
  const check: ShapeCheck = (value) => findProblem(shape, value)
  shapeChecks.set(load, check)
  return check
}

/** Checks a value as `checkValue` does, but not into nested documents. */
export function checkKind(field: Field, value: unknown, isText = false): Problem | undefined {
  const { spellings } = kindOf(field)
  const rejection = kindOf(field).check(field, value)
  return rejection && toProblem(value, isText && spellings ? { expected: spellings } : rejection)
}

function toProblem(value: unknown, { expected, typo, key, found = quote(value) }: Rejection): Problem {
  const accepted = typeof expected === 'string' ? expected : orList(expected)
  const text = typo ? accepted + suggestion(typo.word, typo.candidates) : accepted
  if (key === undefined) return { path: [], found, expected: text }
  return { path: [key], found: quote((value as Record<string, unknown>)[key]), expected: text }
}

/** Keys without a spec are accepted: the service may support more. @returns the first problem, its path starting with the key. */
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
