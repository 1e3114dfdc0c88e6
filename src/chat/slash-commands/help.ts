import { linesOf, noText, safe, type SafeText, sanitizeName } from '../../io/text/safe-text.ts'
import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines } from '../../terminal/table.ts'
import { widthOf } from '../../terminal/width.ts'
import { wrapTo } from '../../terminal/word-wrap.ts'
import type { ChatState } from '../state.ts'
import { type SlashCommand, usageOf } from './slash-command.ts'

const notes = [
  safe`The row above the prompt shows the model, how much of its context is used, the tokens and cost of the conversation, and the quota left.`,
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
    run: async (_argument, chat) => {
      const { out } = chat.context.io
      const look = { width: out.columns(), heading: chat.style.dim }
      const tables = Object.entries(all(chat)).map(([title, list]): [string, string[][]] => {
        return [title, list.map((one) => [usageOf(one), one.help])]
      })
      tables.push(['key', keyHelp.map(({ keys, help }) => [keys, help])])
      const lines = tables.flatMap(([title, rows]) => {
        const cells = rows.map((row) => row.map(sanitizeName))
        return rows.length === 0 ? [] : [...tableLines([{ title }, { title: 'description' }], cells, look), noText]
      })
      return out.write(linesOf([...lines, ...notes].flatMap((line) => wrapIndented(line, look.width))))
    },
  }
}

/** Wraps a line, and indents the parts like it. */
function wrapIndented(line: SafeText, columns: number): SafeText[] {
  if (widthOf(line) <= columns) return [line]
  const text = line.trimStart()
  const indent = safe` `.repeat(line.length - text.length)
  return wrapTo(text, columns - indent.length).map((part) => safe`${indent}${part}`)
}
