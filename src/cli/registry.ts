/** All commands. A command's file is loaded only when the command is used. */

import type { CommandEntry } from '../command.ts'

const commands = [
  { name: 'chat', summary: 'Ask a model, or chat with it', everyday: true, load: () => import('../commands/chat.ts') },
  { name: 'complete', summary: 'Continue a text', load: () => import('../commands/complete.ts') },
  { name: 'embed', summary: 'Turn texts into embeddings', everyday: true, load: () => import('../commands/embed.ts') },
  { name: 'messages', summary: 'Ask a model with the messages API', load: () => import('../commands/messages.ts') },
  {
    name: 'batch',
    summary: 'Ask a model about each row of a file',
    everyday: true,
    load: () => import('../commands/batch.ts'),
  },
  { name: 'count-tokens', summary: 'Count the tokens of a text', load: () => import('../commands/count-tokens.ts') },
  {
    name: 'quota',
    summary: 'Show the used and remaining quota',
    everyday: true,
    load: () => import('../commands/quota.ts'),
  },
  { name: 'search', summary: 'Search the web', everyday: true, load: () => import('../commands/search.ts') },
  {
    name: 'similar',
    summary: 'Find text by meaning',
    everyday: true,
    load: () => import('../commands/similar.ts'),
  },
  { name: 'models', summary: 'List models and aliases', everyday: true, load: () => import('../commands/models.ts') },
  {
    name: 'sessions',
    summary: 'List, show, search, and export saved conversations',
    everyday: true,
    load: () => import('../commands/sessions.ts'),
  },
  { name: 'prompts', summary: 'List and show stored prompts', load: () => import('../commands/prompts.ts') },
  { name: 'tools', summary: 'List tools for a model, and call them', load: () => import('../commands/tools.ts') },
  {
    name: 'login',
    summary: 'Store the base URL and API key of an account',
    everyday: true,
    load: () => import('../commands/login.ts'),
  },
  { name: 'logout', summary: 'Remove the stored API key', load: () => import('../commands/logout.ts') },
  { name: 'config', summary: 'Read and change settings', everyday: true, load: () => import('../commands/config.ts') },
  {
    name: 'completion',
    summary: 'Print or install a shell completion script',
    load: () => import('../commands/completion.ts'),
  },
  { name: 'man', summary: 'Show the manual page of a command', load: () => import('../commands/man.ts') },
  { name: 'sandbox', summary: 'Run an offline stand-in for the service', load: () => import('../commands/sandbox.ts') },
] as const satisfies readonly CommandEntry[]

export type CommandName = (typeof commands)[number]['name']

export const registry: readonly (CommandEntry & { readonly name: CommandName })[] = commands
