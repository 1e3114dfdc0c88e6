import { linesOf, noText, safe, type SafeText, sanitizeName } from '../../io/text/safe-text.ts'
import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines, type TableLook } from '../../terminal/table.ts'
import { widthOf, wrapTo } from '../../terminal/width.ts'
import type { ChatState } from '../state.ts'
import { type SlashCommand, usageOf } from './slash-command.ts'

const notes = [
  safe`The row above the prompt shows the model, how much of its context is used, the tokens and cost of the conversation, and the requests left.`,
  safe`All other keys edit as in a shell.`,
  safe`To send text that starts with a command, type two slashes: //text`,
]

/** @param all The commands, itself included, by the titles of their tables. */
export function helpCommand(all: (chat: ChatState) => Readonly<Record<string, readonly SlashCommand[]>>): SlashCommand {
  return {
    name: 'help',
    aliases: ['?'],
    synonyms: ['help', '?', '.help'],
    help: 'Show this help.',
    runsAtOnce: true,
    run: async (_argument, chat) => {
      const { out } = chat.context.io
      const look = { width: out.columns(), heading: chat.style.dim }
      const rowsOf = (commands: readonly SlashCommand[]) => commands.map((one) => [usageOf(one), one.help])
      const tables = Object.entries(all(chat)).map(([title, commands]) => [title, rowsOf(commands)] as const)
      const keys = keyHelp.map(({ keys, help }) => [keys, help])
      const shown = [...tables, ['key', keys] as const].filter(([, rows]) => rows.length > 0)
      const lines = [...shown.flatMap(([title, rows]) => [...twoColumns(title, rows, look), noText]), ...notes]
      return out.write(linesOf(lines.flatMap((line) => wrapIndented(line, look.width))))
    },
  }
}

function twoColumns(title: string, rows: readonly string[][], look: TableLook): SafeText[] {
  const cells = rows.map((row) => row.map(sanitizeName))
  return tableLines([{ title }, { title: 'description' }], cells, look)
}

/** Wraps a line, and indents the parts like it. */
function wrapIndented(line: SafeText, columns: number): SafeText[] {
  if (widthOf(line) <= columns) return [line]
  const text = line.trimStart()
  const indent = safe` `.repeat(line.length - text.length)
  return wrapTo(text, columns - indent.length).map((part) => safe`${indent}${part}`)
}
