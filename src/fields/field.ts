/**
 * The table that requests, flags, validation, help and man pages are made from. A row describes one field of the API, or
 * one option of the tool itself; what they have in common is that a person sets them on the command line.
 */

import type { Json, JsonObject } from '../io/json.ts'
import type { Shape } from './shape.ts'

/** A check of a nested document, loaded when a value needs it. */
export type LoadShape = () => Promise<Shape>

/** Bounds of a number, both included. */
export interface Range {
  readonly minimum?: number
  readonly maximum?: number
  readonly whole?: true
}

interface Common {
  /** Without a period at its end, which the man pages add. */
  readonly help: string
  readonly required?: true
  /**
   * What holds when the row is not set, as help prints it: a value, or words where it depends on something. It is
   * documentation: code that uses the value reads it from here, or from the constant that stands here.
   */
  readonly default?: string | number | boolean
  /** Names of rows of the same command that it cannot be combined with. One of the two rows names the other. */
  readonly exclusive?: readonly string[]
  /** What to do instead of such a combination. */
  readonly exclusiveHint?: string
  /** People use it daily: `-h` lists it, and `--help` lists it first. */
  readonly everyday?: true
  /** What to use instead. A deprecated field still works, with a notice. */
  readonly deprecated?: string
  /** One-letter form of the flag. */
  readonly short?: string
  /** What stands for the value in help; the kind's own word when absent. */
  readonly placeholder?: string
  /** What a shell completes the value with, where the kind alone doesn't tell. */
  readonly completes?: Completes
}

export type Completes =
  | 'file'
  /** `@` and a file. */
  | '@file'
  | 'generating model'
  | 'embedding model'
  /** Of any sort. */
  | 'model'
  | 'profile'
  | 'conversation'

export type Field = Common &
  /** With `file`, a text that begins with `@` names the file that holds it. */
  (
    | { readonly kind: 'text'; readonly choices?: readonly string[]; readonly file?: true }
    /** With `aliases: false` only `hf:` names, as embeddings want them. */
    | { readonly kind: 'model'; readonly aliases?: false }
    | ({ readonly kind: 'number' } & Range)
    /** `--name` and `--no-name`. */
    | { readonly kind: 'boolean' }
    /** `--name` alone. */
    | { readonly kind: 'switch' }
    /** `--name`, `--name=5` and `--name 5`: only for a command without arguments, whose words it would take. */
    | ({ readonly kind: 'switch or number' } & Range)
    /** `--name`, `--no-name` and `--name=5`. */
    | ({ readonly kind: 'boolean or number' } & Range)
    /**
     * A repeated flag. With `single`, one text is sent as a string and several as an array. With `item`, each text of an
     * array becomes an object; `shape` then checks the array.
     */
    | {
        readonly kind: 'texts'
        readonly single?: true
        readonly file?: true
        readonly item?: (text: string) => JsonObject
        readonly shape?: LoadShape
      }
    | { readonly kind: 'object'; readonly values?: Range; readonly shape?: LoadShape }
    | { readonly kind: 'array'; readonly shape?: LoadShape }
    /**
     * `choices` are the strings the service takes, `words` what the flag takes besides an object; `fromWord` turns one
     * into the other where they differ.
     */
    | {
        readonly kind: 'choice or object'
        readonly choices: readonly string[]
        readonly words: readonly string[]
        readonly fromWord?: (word: string) => string | JsonObject
        readonly shape?: LoadShape
      }
    /** A document read from a path or `-`: a JSON array, or one JSON value a line. */
    | { readonly kind: 'document'; readonly shape?: LoadShape }
  )

export type Fields = { readonly [name: string]: Field }

type ValueOf<F extends Field> = F extends { kind: 'text'; choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { kind: 'text' | 'model' }
    ? string
    : F extends { kind: 'number' }
      ? number
      : F extends { kind: 'boolean' | 'switch' }
        ? boolean
        : F extends { kind: 'switch or number' }
          ? true | number
          : F extends { kind: 'boolean or number' }
            ? boolean | number
            : F extends { kind: 'texts'; single: true }
              ? string | Json[]
              : F extends { kind: 'texts' }
                ? string[]
                : F extends { kind: 'object' }
                  ? JsonObject
                  : F extends { kind: 'choice or object'; choices: readonly (infer Choice)[] }
                    ? Choice | JsonObject
                    : Json[]

/** The values of a table's rows. A row that was not set is absent: unset means not sent. */
export type Values<F extends Fields> = { -readonly [Name in keyof F]?: ValueOf<F[Name]> }

/** `max_tokens` and `dryRun` → `max-tokens` and `dry-run`. */
export function flagName(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `max_tokens` → `--max-tokens` */
export function flagOf(name: string): string {
  return `--${flagName(name)}`
}
