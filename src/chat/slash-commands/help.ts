/** The text of /help: commands, keys and notes. */

import { linesOf, noText, safe, type SafeText, sanitizeName } from '../../io/text/safe-text.ts'
import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines, type TableLook } from '../../terminal/table.ts'
import { widthOf, wrapTo } from '../../terminal/width.ts'
import type { SlashCommand } from './slash-command.ts'

const notes = [
  safe`The row above the prompt shows the model, how much of its context is used, the tokens and cost of the conversation, and the requests left.`,
  safe`All other keys edit as in a shell.`,
  safe`To send text that starts with a command, type two slashes: //text`,
]

export function helpText(commands: readonly SlashCommand[], look: TableLook): SafeText {
  const rows = commands.map(({ name, argument, help }) =>
    [`/${name}${argument ? ` ${argument}` : ''}`, help].map(sanitizeName),
  )
  const keyRows = keyHelp.map(({ keys, help }) => [keys, help].map(sanitizeName))
  const lines = [
    ...tableLines([{ title: 'command' }, { title: 'description' }], rows, look),
    noText,
    ...tableLines([{ title: 'key' }, { title: 'description' }], keyRows, look),
    noText,
    ...notes,
  ]
  return linesOf(lines.flatMap((line) => wrapIndented(line, look.width)))
}

/** Wraps a line, and indents the parts like it. */
function wrapIndented(line: SafeText, columns: number): SafeText[] {
  if (widthOf(line) <= columns) return [line]
  const text = line.trimStart()
  const indent = safe` `.repeat(line.length - text.length)
  return wrapTo(text, columns - indent.length).map((part) => safe`${indent}${part}`)
}
