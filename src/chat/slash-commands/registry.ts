/**
 * The slash commands. To add one, export it from a file of its own or of related commands (files are named after the
 * commands in them), and add it to the list here.
 */

import { copy, save } from './copy-save.ts'
import { helpText } from './help.ts'
import { file, image } from './image-file.ts'
import { model, system } from './model-system.ts'
import { load, newConversation, sessions } from './new-load-sessions.ts'
import { raw, reasoning } from './reasoning-raw.ts'
import { fork, rename } from './rename-fork.ts'
import { edit, retry, undo } from './retry-undo-edit.ts'
import { set } from './set.ts'
import type { SlashCommand } from './slash-command.ts'
import { quota, tokens, usage } from './tokens-usage-quota.ts'

const help: SlashCommand = {
  name: 'help',
  help: 'Show this help.',
  run: async (_argument, { context: { io }, style }) =>
    io.out.write(helpText(slashCommands, { width: io.out.columns(), heading: style.dim })),
}

const exit: SlashCommand = {
  name: 'exit',
  help: 'Exit the chat, like Ctrl-D.',
  run: () => Promise.resolve({ kind: 'exit' }),
}

/** In the order of /help. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  model,
  system,
  set,
  image,
  file,
  retry,
  undo,
  edit,
  copy,
  save,
  newConversation,
  load,
  sessions,
  rename,
  fork,
  tokens,
  usage,
  quota,
  reasoning,
  raw,
  exit,
]

/** Names known from other programs. */
const aliases: Readonly<Record<string, string>> = { quit: 'exit', q: 'exit', '?': 'help' }

/** What other programs call them, or what is typed without a slash. They are named and not run: some mean more elsewhere. */
const meanings: Readonly<Record<string, string>> = {
  '/clear': '/new',
  '/reset': '/new',
  '/bye': '/exit',
  '/history': '/sessions',
  '/models': '/model',
  '/resume': '/load',
  help: '/help',
  '?': '/help',
  clear: '/new',
  models: '/model',
  bye: '/exit',
  exit: '/exit',
  quit: '/exit',
  ':q': '/exit',
  'exit()': '/exit',
  'quit()': '/exit',
  '.exit': '/exit',
  '.quit': '/exit',
  '.help': '/help',
}

/** The slash command that somebody means who types this and nothing else. */
export function meantCommand(text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  return Object.hasOwn(meanings, typed) ? meanings[typed] : undefined
}

/** @param name Without the slash. */
export function findSlashCommand(name: string): SlashCommand | undefined {
  const known = Object.hasOwn(aliases, name) ? aliases[name] : name
  return slashCommands.find((command) => command.name === known)
}
