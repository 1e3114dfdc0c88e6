/** What a command is. */

import type { CommandContext } from './context.ts'
import type { Completes, Fields } from './fields/field.ts'
import type { RequestVariants } from './fields/request-variants.ts'

export interface Argument {
  readonly name: string
  readonly help: string
  readonly required?: true
  /** Takes all the words that are left. */
  readonly many?: true
  /** The words it may be. */
  readonly choices?: readonly string[]
  /** What a shell completes it with where it is none of a few words. */
  readonly completes?: Completes
  /** Names of options that it cannot be combined with. */
  readonly exclusive?: readonly string[]
  /** What it may be by the word before it, such as a setting's name: a row for each. */
  readonly rows?: Fields
}

export type Example = readonly [purpose: string, line: string]

export interface CommandDefinition<F extends Fields, O extends Fields> {
  /** What `--help` and the man page say below the summary. */
  readonly description?: string
  readonly arguments?: readonly Argument[]
  /** Rows that become the request's body. */
  readonly fields?: F
  /** Rows of a like request, which a body given with `--body` may hold and which are left out. */
  readonly unsent?: Fields
  /** Where there are several variants of request, of which `fields` then holds every row that has a flag. */
  readonly variants?: RequestVariants
  /** Rows that steer this tool only. */
  readonly options?: O
  readonly examples: readonly Example[]
  readonly subcommands?: Readonly<Record<string, AnyCommand & { readonly summary: string }>>
  run?(context: CommandContext<F, O>): Promise<void>
}

/** What the program knows of a command before it is loaded. */
export interface CommandRow {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<{ default: AnyCommand }>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of commands can't name each one's tables
export type AnyCommand = CommandDefinition<any, any>

/** Keeps the types of a command's tables, so that `run` sees their values typed. */
export function defineCommand<const F extends Fields, const O extends Fields>(
  definition: CommandDefinition<F, O>,
): CommandDefinition<F, O> {
  return definition
}
