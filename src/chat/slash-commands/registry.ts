/** The slash commands, each in a file of its own: /help, Tab and syn-chat(1) read this list. */

import { promptDescription, promptNames } from '../../fields/prompt-file.ts'
import type { ChatState } from '../state.ts'
import { compact } from './compact.ts'
import { copy } from './copy.ts'
import { edit } from './edit.ts'
import { exit } from './exit.ts'
import { file } from './file.ts'
import { fork } from './fork.ts'
import { helpCommand } from './help.ts'
import { image } from './image.ts'
import { load } from './load.ts'
import { model } from './model.ts'
import { newConversation } from './new.ts'
import { promptCommand } from './prompt.ts'
import { quota } from './quota.ts'
import { raw } from './raw.ts'
import { reasoning } from './reasoning.ts'
import { rename } from './rename.ts'
import { retry } from './retry.ts'
import { save } from './save.ts'
import { sessions } from './sessions.ts'
import { set } from './set.ts'
import { show } from './show.ts'
import type { SlashCommand } from './slash-command.ts'
import { system } from './system.ts'
import { tokens } from './tokens.ts'
import { tools } from './tools.ts'
import { undo } from './undo.ts'
import { usage } from './usage.ts'

/** In the order of /help. */
export const slashCommands: readonly SlashCommand[] = [
  helpCommand((chat) => ({ command: slashCommands, prompt: promptCommands(chat, true) })),
  model,
  system,
  set,
  tools,
  image,
  file,
  retry,
  undo,
  edit,
  show,
  copy,
  save,
  compact,
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

/** No descriptions of hundreds: a list is read while somebody types. @param all Also those that another command hides. */
export function promptCommands({ context: { io } }: ChatState, all = false): SlashCommand[] {
  const isTaken = (name: string): boolean => Boolean(findSlashCommand(name) ?? meantCommand(`/${name}`))
  const names = promptNames(io).filter((name) => all || !isTaken(name))
  return names.map((name) => {
    const help = names.length > 100 ? '' : promptDescription(name, io)
    return promptCommand(name, isTaken(name) ? 'Not available: a command has this name.' : help)
  })
}

/** @param name Without the slash. */
export function findSlashCommand(name: string): SlashCommand | undefined {
  return slashCommands.find((command) => command.name === name || command.aliases?.includes(name))
}

/** The slash command that somebody means who types this and nothing else. */
export function meantCommand(text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  const meant = slashCommands.find(({ synonyms }) => synonyms?.includes(typed))
  return meant && `/${meant.name}`
}
