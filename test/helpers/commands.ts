/** All commands with their definitions. */

import { registry } from '../../src/cli/registry.ts'
import type { AnyCommand } from '../../src/command.ts'
import { flagOf, type Field, type Fields } from '../../src/fields/field.ts'
import { globalOptions, helpOption, programOptions } from '../../src/fields/global-options.ts'
import { jsonPlaceholder } from '../../src/fields/kinds.ts'
import { placeholderOf } from '../../src/fields/option-help.ts'

export const commands = await Promise.all(
  registry.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default })),
)

/** A command or subcommand, with the flags that are its own. */
export interface CommandNode {
  /** Its words after `syn`: empty, `chat`, `config get`. */
  readonly path: string
  readonly specs: Fields
}

/** The program itself first, then each command and its subcommands. */
export const nodes: readonly CommandNode[] = [
  { path: '', specs: programOptions },
  ...commands.flatMap(({ name, definition }) => nodesBelow(name, definition)),
]

/** The flags of every command. */
export const globalRows: Fields = { ...globalOptions, ...helpOption }

function nodesBelow(path: string, { options, fields, subcommands = {} }: AnyCommand): CommandNode[] {
  const below = Object.entries(subcommands).flatMap(([name, one]) => nodesBelow(`${path} ${name}`, one))
  return [{ path, specs: { ...options, ...fields } }, ...below]
}

/** The options of a command that take JSON. */
export function documentFlags(command: string): string[] {
  const { options, fields } = commands.find(({ name }) => name === command)?.definition ?? {}
  return Object.entries<Field>({ ...options, ...fields })
    .filter(([, spec]) => placeholderOf(spec).endsWith(jsonPlaceholder))
    .map(([row]) => flagOf(row))
}
