/** All commands of the chat, in the order of its help. */

import { UsageError } from '../../errors.ts'
import { suggestion } from '../../fields/nearest.ts'
import { tableLines } from '../../terminal/table.ts'
import { widthOf, wrapTo } from '../../terminal/width.ts'
import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import type { ChatState } from '../state.ts'
import { accountCommands } from './tokens-usage-quota.ts'
import { againCommands } from './retry-undo-edit.ts'
import { attachCommands } from './image-file.ts'
import type { SlashCommand } from './slash-command.ts'
import { conversationCommands } from './new-load-sessions.ts'
import { keepCommands } from './copy-save.ts'
import { requestCommands } from './set.ts'
import { viewCommands } from './reasoning-raw.ts'

const help: SlashCommand = {
  name: 'help',
  help: 'Show this table.',
  run: async (_argument, { context: { io }, style }) => {
    const rows = commands.map(({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help])
    const look = { width: io.out.columns(), heading: style.dim }
    const lines = tableLines([{ title: 'command' }, { title: 'what it does' }], rows, look)
    const keyRows = keyHelp.map(({ keys, help }) => [keys, help])
    const keyLines = tableLines([{ title: 'key' }, { title: 'what it does' }], keyRows, look)
    const shown = [...lines, '', ...keyLines, '', ...besides].flatMap((line) => wrapped(line, look.width))
    await io.out.write(shown.map((line) => `${line}\n`).join(''))
  },
}

const besides = ['The other keys edit as in a shell.', '//text sends text that begins with a slash.']

/** The lines of one that may be too wide, each as far from the edge. */
function wrapped(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  if (widthOf(line) <= columns) return [line]
  return wrapTo(line.slice(indent.length), columns - indent.length).map((part) => indent + part)
}

const exit: SlashCommand = {
  name: 'exit',
  help: 'Leave; Ctrl-D does as well.',
  run: () => Promise.resolve({ kind: 'leave' }),
}

export const commands: readonly SlashCommand[] = [
  help,
  ...requestCommands,
  ...attachCommands,
  ...againCommands,
  ...keepCommands,
  ...conversationCommands,
  ...accountCommands,
  ...viewCommands,
  exit,
]

/** Words that people's fingers know. */
const others: Readonly<Record<string, string>> = { quit: 'exit', q: 'exit', '?': 'help' }

export function commandNamed(name: string): SlashCommand | undefined {
  const meant = Object.hasOwn(others, name) ? others[name] : name
  return commands.find((command) => command.name === meant)
}

/** @throws UsageError for a command that is not there. */
export async function runCommand(text: string, chat: ChatState): ReturnType<SlashCommand['run']> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(text) ?? []
  const command = commandNamed(name)
  if (!command) {
    const meant = suggestion(
      `/${name}`,
      commands.map((one) => `/${one.name}`),
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
