/** From what was typed after a flag to a checked value. */

import type { Io } from '../io/io.ts'
import { checkValue } from './check.ts'
import { choicesText, rangeText, refusal } from './problem.ts'
import { readArgument, readList, readText } from './document.ts'
import { flagOf, type Field, type Fields, type Values } from './field.ts'
import { parseJsonIfValid, type Json, type JsonObject } from '../io/json.ts'

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
    if (!field) continue
    const flag = nameOf(name)
    const value = await parseFlag(field, flag, raw, io)
    const problem = field.kind === 'document' ? undefined : await checkValue(field, value)
    if (problem) throw refusal(flag, problem)
    values[name] = value
  }
  return values as Values<F>
}

async function parseFlag(field: Field, flag: string, raw: Typed, io: Io): Promise<unknown> {
  if (typeof raw === 'boolean') return raw
  if (Array.isArray(raw)) return textsValue(field, flag, raw, io)
  const isNumber = field.kind === 'number' || field.kind === 'switch or number' || field.kind === 'boolean or number'
  if (isNumber) mustBeExact(flag, raw)
  switch (field.kind) {
    case 'number':
    case 'switch or number':
      return parseNumber(raw) ?? refuse(flag, raw, rangeText(field))
    case 'boolean or number':
      if (raw === 'true' || raw === 'false') return raw === 'true'
      return parseNumber(raw) ?? refuse(flag, raw, `true, false or ${rangeText(field)}`)
    case 'object':
    case 'array':
      return readArgument(raw, flag, io)
    case 'choice or object':
      if (raw.startsWith('{') || raw.startsWith('@')) return readArgument(raw, flag, io)
      return fromWord(field, flag, raw)
    case 'document':
      return readList(raw, flag, io, field.shape)
    case 'text':
      return field.file ? readText(raw, flag, io) : raw
    case 'model':
    case 'texts':
    case 'boolean':
    case 'switch':
      return raw
  }
}

function fromWord(field: Extract<Field, { kind: 'choice or object' }>, flag: string, word: string): Json {
  const value = field.fromWord?.(word) ?? word
  if (typeof value !== 'string' || field.choices.includes(value)) return value
  return refuse(flag, word, choicesText([...field.words, 'a JSON object'], word))
}

async function textsValue(field: Field, flag: string, given: string[], io: Io): Promise<unknown> {
  if (field.kind !== 'texts') return given
  const texts: string[] = []
  for (const text of given) texts.push(field.file ? await readText(text, flag, io) : text)
  if (field.single && texts.length === 1) return texts[0]
  return field.item ? texts.map(field.item) : texts
}

/** @throws UsageError for a whole number that JavaScript would send changed. */
function mustBeExact(flag: string, text: string): void {
  if (!/^[+-]?\d+$/.test(text) || Number.isSafeInteger(Number(text))) return
  refuse(flag, text, `a whole number of at most ${Number.MAX_SAFE_INTEGER}`)
}

/** Decimal notation only: `0x10` and an empty word are not numbers a person means. */
export function parseNumber(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

/**
 * Parses `key=value` pairs, unchecked. A value that is JSON is taken as JSON, anything else as text.
 * @throws UsageError for a pair without a key.
 */
export function parseParams(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 1) throw refusal('--param', { path: [], found: JSON.stringify(pair), expected: 'key=value' })
      const [key, text] = [pair.slice(0, equals), pair.slice(equals + 1)]
      mustBeExact(`--param ${key}`, text)
      return [key, parseJsonIfValid(text, text)]
    }),
  )
}

function refuse(flag: string, raw: string, expected: string): never {
  throw refusal(flag, { path: [], found: JSON.stringify(raw), expected })
}
