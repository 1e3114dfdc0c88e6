/**
 * What the kinds of rows have of their own: one object a kind. Every run loads this file, `--help` too, and so it imports
 * next to nothing: reading files, checking nested documents and finding typos is up to its callers.
 */

import type { Json, JsonObject } from '../io/json.ts'
import type { Completes, Field, LoadShape, Range } from './field.ts'

/** How a kind's flag is typed. */
export interface FlagSyntax {
  /**
   * Whether a value follows: never, always (`--n 5`), optionally (`--watch 5`), or optionally and only attached
   * (`--logprobs=5`): an optional next word would swallow the prompt.
   */
  readonly value: 'none' | 'required' | 'optional' | 'attached'
  /** There is `--no-name` as well. */
  readonly negatable?: true
  readonly repeatable?: true
}

/** Where what was typed comes from, and how to read the documents that it names. */
export interface Source {
  /** What is in the text itself, or in the file after `@`. */
  text(raw: string): Promise<string>
  /** Inline JSON, or that in the file after `@`. */
  json(raw: string): Promise<Json>
  /** A JSON array, or a JSON value a line, from a path or `-`; checked. */
  list(path: string, shape: LoadShape | undefined): Promise<Json[]>
  /** The UsageError for a value. */
  invalid(value: unknown, rejection: Rejection): Error
}

/** Why a value is not accepted. */
export interface Rejection {
  /** What is accepted instead, in words or as the list of choices. */
  readonly expected: string | readonly string[]
  /** A word that may be a typo, and those that may have been meant. */
  readonly typo?: { readonly word: unknown; readonly among: readonly string[] }
  /** Of an object the key whose value is wrong. */
  readonly key?: string
}

export interface Kind<Row> {
  readonly flag: FlagSyntax
  /** What stands for the value in help; empty where there is none. */
  placeholder(row: Row): string
  /** The value that a text means; a text that means nothing to the kind stays one, which the check refuses. */
  fromText(row: Row, text: string): unknown
  /** From what was typed after the flag to the value, where that may read files or is a list; `fromText` when absent. */
  read?(row: Row, typed: string | readonly string[], source: Source): Promise<unknown>
  /** The check that comes before that of the row's shape. */
  check(row: Row, value: unknown): Rejection | undefined
  /** `read` has checked the value, and names the line of what is wrong. */
  readonly isCheckedWhenRead?: true
  /** Words that the value may be; one with capitals after a colon is a beginning. */
  words?(row: Row): readonly string[]
  /** What a shell completes the value with besides. */
  completes?(row: Row): readonly Completes[]
}

type Kinds = { readonly [Name in Field['kind']]: Kind<Extract<Field, { kind: Name }>> }

const kinds: Kinds = {
  text: {
    flag: { value: 'required' },
    placeholder: ({ choices }) => choices?.join('|') ?? 'TEXT',
    fromText: itself,
    read: async ({ file }, typed, source) => (file ? source.text(String(typed)) : typed),
    check({ choices }, value) {
      if (typeof value !== 'string') return { expected: 'a string' }
      return choices && !choices.includes(value) ? noneOf(choices, value) : undefined
    },
    words: ({ choices = [] }) => choices,
    completes: afterAt,
  },

  model: {
    flag: { value: 'required' },
    placeholder: () => 'MODEL',
    fromText: itself,
    check({ aliases }, value) {
      const isAccepted =
        typeof value === 'string' && isModelName(value) && (aliases !== false || value.startsWith('hf:'))
      return isAccepted ? undefined : rejectedModel(value, aliases)
    },
    completes: ({ aliases }) => [aliases === false ? 'embedding model' : 'generating model'],
  },

  number: {
    flag: { value: 'required' },
    placeholder: () => 'N',
    fromText: numberOr,
    check: checkNumber,
  },

  boolean: {
    flag: { value: 'none', negatable: true },
    placeholder: () => '',
    fromText: booleanOr,
    check: checkBoolean,
    // Typed as a setting or after /set.
    words: () => ['true', 'false'],
  },

  switch: {
    flag: { value: 'none' },
    placeholder: () => '',
    fromText: booleanOr,
    check: checkBoolean,
    words: () => ['true', 'false'],
  },

  'switch or number': {
    flag: { value: 'optional' },
    placeholder: () => 'N',
    fromText: numberOr,
    check: (row, value) => (value === true ? undefined : checkNumber(row, value)),
  },

  'boolean or number': {
    flag: { value: 'attached', negatable: true },
    placeholder: () => 'N',
    fromText: (row, text) => (text === 'true' || text === 'false' ? text === 'true' : numberOr(row, text)),
    check: (row, value) =>
      typeof value === 'boolean' || isInRange(row, value)
        ? undefined
        : { expected: `true, false or ${rangeText(row)}` },
    words: () => ['true', 'false'],
  },

  texts: {
    flag: { value: 'required', repeatable: true },
    placeholder: () => 'TEXT',
    fromText: (_row, text) => [text],
    async read({ file, single, item }, typed, source) {
      const texts: string[] = []
      for (const text of typeof typed === 'string' ? await textsIn(typed, source) : typed) {
        texts.push(file ? await source.text(text) : text)
      }
      if (single && texts.length === 1) return texts[0]
      return item ? texts.map(item) : texts
    },
    check({ shape, single }, value) {
      if (shape ? Array.isArray(value) : isTexts(value)) return undefined
      const list = shape ? 'an array' : 'an array of strings'
      if (!single) return { expected: list }
      return typeof value === 'string' ? undefined : { expected: `a string or ${list}` }
    },
    completes: afterAt,
  },

  object: {
    flag: { value: 'required' },
    placeholder: () => 'JSON|@FILE',
    fromText: itself,
    read: (_row, typed, source) => source.json(String(typed)),
    check({ values }, value) {
      if (!isObject(value)) return { expected: 'an object' }
      const wrong = values && Object.entries(value).find(([, entry]) => !isInRange(values, entry))
      return wrong && { expected: rangeText(values), key: wrong[0] }
    },
    completes: () => ['@file'],
  },

  array: {
    flag: { value: 'required' },
    placeholder: () => 'JSON|@FILE',
    fromText: itself,
    read: (_row, typed, source) => source.json(String(typed)),
    check: checkArray,
    completes: () => ['@file'],
  },

  'choice or object': {
    flag: { value: 'required' },
    placeholder: ({ words }) => [...words, 'JSON', '@FILE'].join('|'),
    fromText: itself,
    async read({ choices, words, fromWord }, typed, source) {
      const text = String(typed)
      if (text.startsWith('{') || text.startsWith('@')) return source.json(text)
      const value = fromWord?.(text) ?? text
      if (typeof value !== 'string' || choices.includes(value)) return value
      throw source.invalid(text, noneOf([...words, 'a JSON object'], text))
    },
    check({ choices }, value) {
      if (isObject(value) || (typeof value === 'string' && choices.includes(value))) return undefined
      return noneOf([...choices, 'an object'], value)
    },
    words: ({ words }) => words,
    completes: () => ['@file'],
  },

  document: {
    flag: { value: 'required' },
    placeholder: () => 'FILE',
    fromText: itself,
    read: ({ shape }, typed, source) => source.list(String(typed), shape),
    check: checkArray,
    isCheckedWhenRead: true,
    completes: () => ['file'],
  },
}

export function kindOf(row: Field): Kind<Field> {
  return kinds[row.kind]
}

function noneOf(choices: readonly string[], word: unknown): Rejection {
  return { expected: choices, typo: { word, among: choices } }
}

/** The aliases of categories of models: section 1 of the specification. */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. A `syn:` name that is not known passes: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}

/** @param aliases False where only `hf:` names are accepted. */
function rejectedModel(given: unknown, aliases: false | undefined): Rejection {
  if (aliases === false) return { expected: 'a name that starts with hf:' }
  const expected = `a name that starts with hf:, or an alias: ${modelAliases.join(', ')}`
  if (typeof given !== 'string') return { expected }
  // Organization and name, as the hub writes them: only the prefix is missing.
  if (/^[\w.-]+\/[\w.-]+$/.test(given)) return { expected: `${expected} (did you mean hf:${given}?)` }
  return { expected, typo: { word: `syn:${given.replace(/^syn:?/, '')}`, among: modelAliases } }
}

/** As io/json.ts has it, which brings more along than `--help` should load. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `a whole number, at least 1`, `a number from 0 to 2` */
function rangeText({ minimum, maximum, whole }: Range): string {
  const noun = whole ? 'a whole number' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${noun}, at least ${minimum}`
  if (maximum !== undefined) return `${noun}, at most ${maximum}`
  return noun
}

function isInRange({ minimum = -Infinity, maximum = Infinity, whole }: Range, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (whole && !Number.isSafeInteger(value)) return false
  return value >= minimum && value <= maximum
}

function checkNumber(range: Range, value: unknown): Rejection | undefined {
  return isInRange(range, value) ? undefined : { expected: rangeText(range) }
}

function checkBoolean(_row: unknown, value: unknown): Rejection | undefined {
  return typeof value === 'boolean' ? undefined : { expected: 'true or false' }
}

function checkArray(_row: unknown, value: unknown): Rejection | undefined {
  return Array.isArray(value) ? undefined : { expected: 'an array' }
}

function itself(_row: unknown, text: string): string {
  return text
}

/** Decimal notation only: `0x10` and an empty word are not numbers a person means. */
function numberOr(_row: unknown, text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text
}

function booleanOr(_row: unknown, text: string): boolean | string {
  return text === 'true' || text === 'false' ? text === 'true' : text
}

function afterAt({ file }: { readonly file?: true }): Completes[] {
  return file ? ['@file'] : []
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

/** One text, or a JSON array of several: how `/set` takes what a command line repeats the flag for. */
async function textsIn(text: string, source: Source): Promise<string[]> {
  if (!text.startsWith('[')) return [text]
  const list = await source.json(text)
  if (isTexts(list)) return list
  throw source.invalid(list, { expected: 'a text or a JSON array of texts' })
}
