/**
 * The specs that requests, flags, validation, help and man pages are generated from. A spec describes one field of the API
 * or one option of syn itself.
 */

import type { Json, JsonObject } from '../io/json/json.ts'
import type { Shape } from './shape.ts'

/** A check of a nested document, loaded when a value needs it. */
export type LoadShape = () => Promise<Shape>

/** Inclusive bounds of a number. */
export interface Range {
  readonly minimum?: number
  readonly maximum?: number
  readonly whole?: true
}

/** A notation of its own. */
interface ParsedText {
  readonly parse: (text: string) => unknown
  readonly expected: string
}

interface Common {
  /** Without a period at its end, which the man pages add. */
  readonly help: string
  readonly required?: true
  /**
   * The default as help prints it: a value, or words if it depends on something. It is documentation: code that needs the
   * value reads it from here, or from the constant used here.
   */
  readonly default?: string | number | boolean
  /** Specs of the same command that it cannot be combined with. Only one of the two specs names the other. */
  readonly exclusive?: readonly string[]
  /** `-h` lists it, and `--help` lists it first. */
  readonly everyday?: true
  /** The replacement. A deprecated field still works. */
  readonly deprecated?: string
  /** The one-letter flag. */
  readonly short?: string
  /** Placeholder of the value in help (default: the kind's). */
  readonly placeholder?: string
  /** Shell completion of the value, if the kind does not determine it. */
  readonly completes?: Completes
}

export type Completes = CompletedPath | StoredName | 'command' | 'prompt'

/** A file, `@` followed by one, or either. */
export type CompletedPath = 'file' | '@file' | '[@]file'

/** Names that are stored on this machine. */
export type StoredName =
  | 'generating model'
  | 'embedding model'
  | 'profile'
  | 'conversation'
  | 'tool'
  | 'reasoning effort'

export type Field = Common &
  /** With `file`, a value that starts with `@` names a file with the text. */
  (
    | { readonly kind: 'text'; readonly choices?: readonly string[]; readonly file?: true }
    /** With `aliases: false`, only `hf:` names (section 2.3). With `any`, all names. With `several`, a repeated flag is a list. */
    | { readonly kind: 'model'; readonly aliases?: false; readonly any?: true; readonly several?: true }
    | ({ readonly kind: 'number' } & Range)
    /** `--name` and `--no-name`. */
    | { readonly kind: 'boolean' }
    /** `--name` alone. */
    | { readonly kind: 'switch' }
    /** `--name`, `--no-name` and `--name=5`. */
    | ({ readonly kind: 'boolean or number' } & Range)
    /** `--name`, `--no-name` and `--name=CHOICE`. */
    | { readonly kind: 'boolean or choice'; readonly choices: readonly string[] }
    /** `--name`, `--no-name`, and `--name=MODEL`, which is repeated for a list. With `any`, all names. */
    | { readonly kind: 'boolean or model'; readonly any?: true }
    /**
     * A repeated flag. With `single`, one text is sent as a string and several as an array. With `item`, each text of an
     * array is converted to an object; `shape` then checks the array. With `patterns`, paths with wildcards stay as typed.
     */
    | {
        readonly kind: 'texts'
        readonly single?: true
        readonly file?: true
        readonly item?: (text: string) => JsonObject
        readonly patterns?: true
        readonly shape?: LoadShape
      }
    | { readonly kind: 'object'; readonly values?: Range; readonly shape?: LoadShape }
    | { readonly kind: 'array'; readonly shape?: LoadShape }
    /**
     * `choices` are the strings the service accepts, `words` those the flag accepts. `fromWord` converts a word to what is
     * sent, where they differ.
     */
    | {
        readonly kind: 'choice or object'
        readonly choices: readonly string[]
        readonly words: readonly string[]
        readonly fromWord?: (word: string) => string | JsonObject
        readonly shape?: LoadShape
      }
    /** A text with a notation of its own, as in `notations.ts`. `parse` returns `undefined` for what is not `expected`. */
    | ({ readonly kind: 'notation' } & ParsedText)
    /** `--name`, `--name=VALUE` and `--name VALUE`. Only for commands without arguments: it would take the next word. */
    | ({ readonly kind: 'switch or notation' } & ParsedText)
    /** A JSON array or JSON Lines. */
    | { readonly kind: 'document'; readonly shape?: LoadShape }
  )

export type Fields = { readonly [name: string]: Field }

type ChoiceOf<F> = F extends { choices: readonly (infer Choice)[] } ? Choice : string
type ParsedBy<F> = F extends { parse: (text: string) => infer Parsed } ? Exclude<Parsed, undefined> : never

interface ValuesOfKinds<F> {
  text: ChoiceOf<F>
  model: string | (F extends { several: true } ? string[] : never)
  number: number
  boolean: boolean
  switch: boolean
  'boolean or number': boolean | number
  'boolean or choice': boolean | ChoiceOf<F>
  'boolean or model': boolean | string[]
  texts: F extends { single: true } ? string | Json[] : string[]
  object: JsonObject
  array: Json[]
  'choice or object': ChoiceOf<F> | JsonObject
  notation: ParsedBy<F>
  'switch or notation': true | ParsedBy<F>
  document: Json[]
}

type ValueOf<F extends Field> = ValuesOfKinds<F>[F['kind']]

/** The values of a table's specs. Specs that were not set are absent: unset means not sent. */
export type Values<F extends Fields> = { -readonly [Name in keyof F]?: ValueOf<F[Name]> }

/**
 * The specs of several tables; of two with the same name, the last one. A hundred times as fast as `{ ...one, ...other }`, for
 * which V8 makes a hidden class for each of a hundred properties.
 */
export function mergeSpecs(...tables: readonly (Fields | undefined)[]): Fields {
  return Object.assign(Object.create(null) as object, ...tables) as Fields
}

/** The specs, with those of models accepting any name. */
export function acceptingAnyModel<F extends Fields>(specs: F): F {
  const all = Object.entries(specs).map(([key, spec]) => [
    key,
    spec.kind.endsWith('model') ? { ...spec, any: true } : spec,
  ])
  return Object.fromEntries(all) as F
}

/** By the names of specs: a command line is compared with those of all specs several times. */
const flagNames = new Map<string, string>()

/** `max_tokens` and `dryRun` → `max-tokens` and `dry-run`. */
export function flagName(name: string): string {
  let flag = flagNames.get(name)
  if (flag === undefined) {
    flag = name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    flagNames.set(name, flag)
  }
  return flag
}

/** `max_tokens` → `--max-tokens` */
export function flagOf(name: string): string {
  return `--${flagName(name)}`
}
