/**
 * How each kind of spec is typed, parsed, checked and completed: one object per kind. Every run loads this file, even
 * `--help`: callers read files, check nested documents and find typos.
 */

import { isObject, type Json } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import type { Completes, Field, LoadShape, Range } from './field.ts'
import { isModelName, modelAliases } from './model-facts.ts'

/** The syntax of a kind's flag. */
export interface FlagSyntax {
  /**
   * Whether a value follows: none but `=true` and `=false`, always (`--n 5`), optionally (`--wait 5`), or optionally and
   * only after `=` (`--logprobs=5`): an optional separate word would swallow the prompt.
   */
  readonly value: 'none' | 'required' | 'optional' | 'attached'
  /** `--no-name` exists as well. */
  readonly negatable?: true
  readonly repeatable?: true
}

/** Reads the texts and documents that a flag's value names. */
export interface ValueReader {
  /** The text itself, or the content of the file after `@`. */
  text(raw: string): Promise<string>
  /**
   * Inline JSON, or that of a file or of standard input.
   * @param neither Why a text is not accepted that is neither JSON nor a file.
   */
  json(raw: string, neither?: Rejection): Promise<Json>
  /** A JSON array or JSON Lines, inline, of a file or of standard input, checked. */
  list(raw: string, shape: LoadShape | undefined): Promise<Json[]>
  /** The files that match a path with wildcards. */
  files(pattern: string): Promise<string[]>
}

/** Why a value is not accepted. */
export interface Rejection {
  /** What is accepted, in words or as a list of choices. */
  readonly expected: string | readonly string[]
  /** The part of a list that is not accepted (default: the value). */
  readonly found?: string
  /** A word that may be a typo, and the candidates for a suggestion. */
  readonly typo?: { readonly word: unknown; readonly candidates: readonly string[] }
  /** The key of an object whose value is invalid. */
  readonly key?: string
}

export interface Kind<Spec> {
  readonly flag: FlagSyntax
  /** Placeholder of the value in help; empty for flags without a value. */
  placeholder(spec: Spec): string
  /** Parses a text. Text that the kind cannot parse is returned unchanged, or as `undefined`, and fails the check. */
  fromText(spec: Spec, text: string): unknown
  /** What `fromText` accepts, if that is more than `check` names: JSON has no other words for true and false. */
  readonly spellings?: readonly string[]
  /** Parses what was typed, if that may read files or is a list (default: `fromText`). */
  read?(spec: Spec, typed: string | readonly string[], reader: ValueReader): Promise<unknown>
  /** Runs before the check of the spec's shape. */
  check(spec: Spec, value: unknown): Rejection | undefined
  /** `read` checks the value itself, and its errors name the line. */
  readonly isCheckedWhenRead?: true
  /** Words that the value may be; a shell completes `tool:NAME` up to the colon. */
  words?(spec: Spec): readonly string[]
  /** Shell completion of the value, besides `words`. */
  completes?(spec: Spec): readonly Completes[]
}

/** The placeholder of all documents, which are read by one rule; `jsonHelp` states it. */
export const jsonPlaceholder = 'JSON|FILE'

export const jsonHelp = `${jsonPlaceholder} is JSON that begins with { or [, or a file that holds it: FILE or @FILE, or - for stdin.`

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  on: true,
  off: false,
}

/** On or off. */
const onOff: Kind<unknown> = {
  flag: { value: 'none' },
  placeholder: () => '',
  fromText: parseBoolean,
  spellings: Object.keys(booleans),
  check: (_spec, value) => (typeof value === 'boolean' ? undefined : { expected: 'true or false' }),
  words: () => ['true', 'false'],
}

/** A JSON array, inline or of a file. */
const json: Kind<unknown> = {
  flag: { value: 'required' },
  placeholder: () => jsonPlaceholder,
  fromText: (_spec, text) => text,
  read: (_spec, typed, reader) => reader.json(String(typed)),
  check: (_spec, value) => (Array.isArray(value) ? undefined : { expected: 'an array' }),
  completes: () => ['[@]file'],
}

/** A text that the spec itself parses. */
const notation: Kind<Extract<Field, { parse: unknown }>> = {
  flag: { value: 'required' },
  placeholder: () => 'TEXT',
  fromText: ({ parse }, text) => parse(text),
  check: ({ expected }, value) => (value === undefined ? { expected } : undefined),
}

type Kinds = { readonly [Name in Field['kind']]: Kind<Extract<Field, { kind: Name }>> }

const kinds: Kinds = {
  text: {
    flag: { value: 'required' },
    placeholder: ({ choices }) => choices?.join('|') ?? 'TEXT',
    fromText: (_spec, text) => text,
    read: async ({ file }, typed, reader) => (file ? reader.text(String(typed)) : typed),
    check({ choices }, value) {
      if (typeof value !== 'string') return { expected: 'a string' }
      return choices && !choices.includes(value) ? noneOf(choices, value) : undefined
    },
    words: ({ choices = [] }) => choices,
    completes: fileAfterAt,
  },

  model: {
    flag: { value: 'required' },
    placeholder: () => 'MODEL',
    fromText: (_spec, text) => text,
    check: problemOfName,
    completes: ({ aliases }) => [aliases === false ? 'embedding model' : 'generating model'],
  },

  number: {
    flag: { value: 'required' },
    placeholder: () => 'N',
    fromText: parseNumber,
    check: (spec, value) => (isInRange(spec, value) ? undefined : { expected: rangeText(spec) }),
  },

  boolean: { ...onOff, flag: { value: 'none', negatable: true } },

  switch: onOff,

  'boolean or number': {
    flag: { value: 'attached', negatable: true },
    placeholder: () => 'N',
    fromText: (spec, text) => (text === 'true' || text === 'false' ? text === 'true' : parseNumber(spec, text)),
    check: (spec, value) =>
      typeof value === 'boolean' || isInRange(spec, value)
        ? undefined
        : { expected: `true, false or ${rangeText(spec)}` },
    words: () => ['true', 'false'],
  },

  'boolean or choice': {
    flag: { value: 'attached', negatable: true },
    placeholder: ({ choices }) => choices.join('|'),
    fromText: parseBoolean,
    check: ({ choices }, value) =>
      typeof value === 'boolean' || choices.includes(String(value)) ? undefined : noneOf(choices, value),
    words: ({ choices }) => choices,
  },

  'boolean or model': {
    flag: { value: 'attached', negatable: true, repeatable: true },
    placeholder: () => 'MODEL',
    fromText: (_spec, text) => [text],
    read(_spec, typed) {
      const words = [typed].flat()
      // The last one without a value wins over those before it, as with other flags.
      const names = words.slice(words.findLastIndex((word) => word === 'true' || word === 'false') + 1)
      return Promise.resolve(names.length > 0 ? names : words.at(-1) === 'true')
    },
    check(spec, value) {
      const names = typeof value === 'boolean' ? [] : [value].flat()
      return names.map((name) => problemOfName(spec, name)).find((problem) => problem !== undefined)
    },
    completes: () => ['generating model'],
  },

  texts: {
    flag: { value: 'required', repeatable: true },
    placeholder: () => 'TEXT',
    fromText: (_spec, text) => [text],
    async read({ file, single, item, completes, patterns }, typed, reader) {
      // One text or a JSON array: `/set` has no repeated flags.
      const isArray = typeof typed === 'string' && typed.startsWith('[')
      const given = isArray ? await reader.json(typed) : [typed].flat()
      if (!isTexts(given)) return given
      const texts: string[] = []
      for (const text of given) {
        if (completes !== 'file' || patterns) texts.push(file ? await reader.text(text) : text)
        else for (const path of await reader.files(text)) texts.push(path)
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
    completes: fileAfterAt,
  },

  object: {
    ...json,
    check({ values }, value) {
      if (!isObject(value)) return { expected: 'an object' }
      const wrong = values && Object.entries(value).find(([, entry]) => !isInRange(values, entry))
      return wrong && { expected: rangeText(values), key: wrong[0] }
    },
  },

  array: json,

  'choice or object': {
    ...json,
    placeholder: ({ words }) => [...words, jsonPlaceholder].join('|'),
    async read({ choices, words, fromWord }, typed, reader) {
      const text = String(typed)
      const value = fromWord?.(text) ?? text
      if (typeof value !== 'string' || choices.includes(value)) return value
      return reader.json(text, noneOf([...words, 'a JSON object', 'a file'], text))
    },
    check({ choices }, value) {
      if (isObject(value) || (typeof value === 'string' && choices.includes(value))) return undefined
      return noneOf([...choices, 'an object'], value)
    },
    words: ({ words }) => words,
  },

  notation,

  'switch or notation': { ...notation, flag: { value: 'optional' } },

  document: {
    ...json,
    read: ({ shape }, typed, reader) => reader.list(String(typed), shape),
    isCheckedWhenRead: true,
  },
}

export function kindOf(spec: Field): Kind<Field> {
  return kinds[spec.kind]
}

function noneOf(choices: readonly string[], word: unknown): Rejection {
  return { expected: choices, typo: { word, candidates: choices } }
}

function problemOfName({ aliases, any }: { aliases?: false; any?: true }, value: unknown): Rejection | undefined {
  if (any) return typeof value === 'string' && value.trim() !== '' ? undefined : { expected: 'a name' }
  const isAccepted = typeof value === 'string' && isModelName(value) && (aliases !== false || value.startsWith('hf:'))
  return isAccepted ? undefined : { ...rejectedModel(value, aliases), found: quote(value) }
}

/** @param aliases `false` if only `hf:` names are accepted. */
function rejectedModel(given: unknown, aliases: false | undefined): Rejection {
  if (aliases === false) return { expected: 'a name that starts with hf:' }
  const expected = `a name that starts with hf:, or an alias: ${modelAliases.join(', ')}`
  if (typeof given !== 'string') return { expected }
  // `organization/name`: only the prefix is missing.
  if (/^[\w.-]+\/[\w.-]+$/.test(given)) return { expected: `${expected} (did you mean hf:${given}?)` }
  return { expected, typo: { word: `syn:${given.replace(/^syn:?/, '')}`, candidates: modelAliases } }
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

/** Decimal notation only: `Number` would also accept `0x10` and an empty string. */
function parseNumber(_spec: unknown, text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text
}

function parseBoolean(_spec: unknown, text: string): boolean | string {
  return Object.hasOwn(booleans, text) ? (booleans[text] ?? text) : text
}

function fileAfterAt({ file }: { readonly file?: true }): Completes[] {
  return file ? ['@file'] : []
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
