/** All commands with their definitions. */

import { registry } from '../../src/cli/registry.ts'
import { flagOf, type Field } from '../../src/fields/field.ts'
import { jsonPlaceholder } from '../../src/fields/kinds.ts'
import { placeholderOf } from '../../src/fields/terms.ts'

export const commands = await Promise.all(
  registry.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default })),
)

/** The options of a command that take JSON. */
export function documentFlags(command: string): string[] {
  const { options, fields } = commands.find(({ name }) => name === command)?.definition ?? {}
  return Object.entries<Field>({ ...options, ...fields })
    .filter(([, row]) => placeholderOf(row).endsWith(jsonPlaceholder))
    .map(([row]) => flagOf(row))
}
