/**
 * The commands of the chat. To add one, export it from a file of its own, or from that of its siblings (files are named
 * after the commands that they hold), and add it to the list here.
 */

import { UsageError } from '../../errors.ts'
import { suggestion } from '../../fields/nearest.ts'
import type { ChatState } from '../state.ts'
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
  help: 'Show this table.',
  run: async (_argument, { context: { io }, style }) =>
    io.out.write(helpText(slashCommands, { width: io.out.columns(), heading: style.dim })),
}

const exit: SlashCommand = {
  name: 'exit',
  help: 'Leave; Ctrl-D does as well.',
  run: () => Promise.resolve({ kind: 'leave' }),
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

/** Names from other programs. */
const aliases: Readonly<Record<string, string>> = { quit: 'exit', q: 'exit', '?': 'help' }

/** @param name Without the slash. */
export function findSlashCommand(name: string): SlashCommand | undefined {
  const known = Object.hasOwn(aliases, name) ? aliases[name] : name
  return slashCommands.find((command) => command.name === known)
}

/**
 * @param text The command as it was typed, with its slash.
 * @throws UsageError for an unknown command, and for an argument that is missing or not taken.
 */
export async function runSlashCommand(text: string, chat: ChatState): ReturnType<SlashCommand['run']> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(text) ?? []
  const command = findSlashCommand(name)
  if (!command) {
    const meant = suggestion(
      `/${name}`,
      slashCommands.map((one) => `/${one.name}`),
    )
    throw new UsageError(`there is no command ${JSON.stringify(`/${name}`)}${meant}`, {
      hint: '/help lists them; a message that begins with a slash is sent with a second one before it',
    })
  }
  const given = argument.trim()
  if (given !== '' && command.argument === undefined) throw new UsageError(`/${command.name} takes no argument`)
  if (given === '' && command.argument?.startsWith('[') === false) {
    throw new UsageError(`/${command.name}: ${command.argument} is missing`)
  }
  return command.run(given, chat)
}
