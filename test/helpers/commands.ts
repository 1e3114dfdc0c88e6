/** All commands with their definitions. */

import { registry } from '../../src/cli/registry.ts'

export const commands = await Promise.all(
  registry.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default })),
)
