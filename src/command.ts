/** The definition of a command: its tables and its run(). */

import type { CommandContext } from './context.ts'
import type { Completes, Fields } from './fields/field.ts'
import type { ArgumentRules } from './fields/parse.ts'
import type { Tables } from './fields/tables.ts'

export interface Argument extends ArgumentRules {
  readonly help: string
  readonly required?: true
  /** Takes all remaining arguments. */
  readonly many?: true
  /** The accepted values. */
  readonly choices?: readonly string[]
  /** What shell completion offers when there are no `choices`. */
  readonly completes?: Completes
  /** Accepted values by the argument before it, such as a setting's name. */
  readonly specs?: Fields
}

export type Example = readonly [purpose: string, line: string]

interface CommandDefinition<F extends Fields, O extends Fields> extends Tables<F, O> {
  /** Printed below the summary, by `--help` and in the man page. */
  readonly description?: string
  readonly arguments?: readonly Argument[]
  readonly examples: readonly Example[]
  readonly subcommands?: Readonly<Record<string, AnyCommand & { readonly summary: string }>>
  run?(context: CommandContext<F, O>): Promise<void>
}

/** The facts about a command that are known before it is loaded. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** `syn -h` lists it, and `syn --help` lists it first. */
  readonly everyday?: true
  readonly load: () => Promise<{ default: AnyCommand }>
}

export interface AnyCommand extends Omit<CommandDefinition<Fields, Fields>, 'run'> {
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of commands cannot name each one's tables
  run?(context: CommandContext<any, any>): Promise<void>
}

/** Keeps the types of a command's tables, so that `run` sees their values typed. */
export function defineCommand<const F extends Fields, const O extends Fields>(
  definition: CommandDefinition<F, O>,
): CommandDefinition<F, O> {
  return definition
}
