/** All commands, one row each. A command's file is loaded only when the command is used. */

import type { CommandRow } from '../command.ts'

export const registry: readonly CommandRow[] = [
  { name: 'chat', summary: 'Ask a model', load: () => import('../commands/chat.ts') },
  { name: 'complete', summary: 'Continue a text', load: () => import('../commands/complete.ts') },
  { name: 'embed', summary: 'Turn texts into embeddings', load: () => import('../commands/embed.ts') },
  {
    name: 'messages',
    summary: 'Ask a model through the messages interface',
    load: () => import('../commands/messages.ts'),
  },
  { name: 'count-tokens', summary: 'Count the tokens of a text', load: () => import('../commands/count-tokens.ts') },
  {
    name: 'quota',
    summary: 'Show what is used of the quota, and what is left',
    load: () => import('../commands/quota.ts'),
  },
  { name: 'search', summary: 'Search the web', load: () => import('../commands/search.ts') },
  { name: 'models', summary: 'List the models and the aliases', load: () => import('../commands/models.ts') },
  {
    name: 'sessions',
    summary: 'Look through the conversations that were kept',
    load: () => import('../commands/sessions.ts'),
  },
  { name: 'login', summary: 'Store the address and key of an account', load: () => import('../commands/login.ts') },
  { name: 'logout', summary: 'Forget a stored key', load: () => import('../commands/logout.ts') },
  { name: 'config', summary: 'Read and change settings', load: () => import('../commands/config.ts') },
  {
    name: 'completion',
    summary: 'Print a script that completes command lines in a shell',
    // The script covers all rows; importing them from this file would be an import cycle.
    load: async () => ({ default: (await import('../commands/completion.ts')).completionOf(registry) }),
  },
  {
    name: 'sandbox',
    summary: 'Serve the offline stand-in on this machine',
    load: () => import('../commands/sandbox.ts'),
  },
]
