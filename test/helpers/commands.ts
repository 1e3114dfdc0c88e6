/** All commands with what defines them. */

import { registry } from '../../src/cli/registry.ts'

export const commands = await Promise.all(
  registry.map(async ({ name, summary, load }) => ({ name, summary, definition: (await load()).default })),
)
