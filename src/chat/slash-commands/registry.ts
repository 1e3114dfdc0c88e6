/** The list of slash commands, which /help, Tab and syn-chat(1) read; /help and /exit themselves. */

import { promptDescription, promptNames } from '../../fields/prompt-file.ts'
import type { ChatState } from '../state.ts'
import { conversationCommands } from './conversations.ts'
import { messageCommands } from './messages.ts'
import { attachCommands } from './attach.ts'
import { requestCommands } from './requests.ts'
import { promptCommand } from './prompt.ts'
import { countCommands } from './counts.ts'
import { displayCommands } from './display.ts'
import { type SlashCommand, usageOf } from './slash-command.ts'
import { linesOf, noText, safe, type SafeText, sanitizeName } from '../../io/text/safe-text.ts'
import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines } from '../../terminal/table.ts'
import { widthOf } from '../../terminal/width.ts'
import { wrapTo } from '../../terminal/word-wrap.ts'

const rowNote = safe`The row above the prompt shows the model, how much of its context is used, the tokens and cost of the conversation, and the quota left.`
const notes = [
  safe`All other keys edit as in a shell.`,
  safe`To send text that starts with a command, type two slashes: //text`,
]

const help: SlashCommand = {
  name: 'help',
  aliases: ['?'],
  synonyms: ['help', '?', '.help'],
  help: 'Show this help.',
  run: async (_argument, chat) => {
    const { out, isPlain } = chat.context.io
    const look = { width: out.columns(), heading: chat.style.dim }
    const commandRows = (all: readonly SlashCommand[]): string[][] => all.map((one) => [usageOf(one), one.help])
    const tables: [title: string, rows: string[][]][] = [
      ['command', commandRows(slashCommands)],
      ['prompt', commandRows(promptCommands(chat, true))],
      ['key', keyHelp.map(({ keys, help }) => [keys, help])],
    ]
    const lines = tables.flatMap(([title, rows]) => {
      const cells = rows.map((row) => row.map(sanitizeName))
      return rows.length === 0 ? [] : [...tableLines([{ title }, { title: 'description' }], cells, look), noText]
    })
    const shown = [...lines, ...(isPlain?.() ? [] : [rowNote]), ...notes]
    return out.write(linesOf(shown.flatMap((line) => wrapIndented(line, look.width))))
  },
}

/** Wraps a line, and indents the parts like it. */
function wrapIndented(line: SafeText, columns: number): SafeText[] {
  if (widthOf(line) <= columns) return [line]
  const text = line.trimStart()
  const indent = safe` `.repeat(line.length - text.length)
  return wrapTo(text, columns - indent.length).map((part) => safe`${indent}${part}`)
}

const exit: SlashCommand = {
  name: 'exit',
  aliases: ['quit', 'q'],
  synonyms: ['/bye', 'bye', 'exit', 'quit', ':q', 'exit()', 'quit()', '.exit', '.quit'],
  help: 'Exit the chat, like Ctrl-D.',
  run: () => Promise.resolve({ kind: 'exit' }),
}

/** In the order of /help. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  ...requestCommands,
  ...attachCommands,
  ...messageCommands,
  ...conversationCommands,
  ...countCommands,
  ...displayCommands,
  exit,
]

/** With over 100, no descriptions: reading the files delays keys. @param all Also prompts that a command hides. */
export function promptCommands({ context: { io } }: ChatState, all = false): SlashCommand[] {
  const isTaken = (name: string): boolean => Boolean(findSlashCommand(name) ?? similarCommand(`/${name}`))
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

/** The slash command for a line that is a command of other programs. */
export function similarCommand(text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  const meant = slashCommands.find(({ synonyms }) => synonyms?.includes(typed))
  return meant && `/${meant.name}`
}
