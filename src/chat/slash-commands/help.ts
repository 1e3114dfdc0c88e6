/** The text of /help: commands, keys and notes. */

import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines, type TableLook } from '../../terminal/table.ts'
import { widthOf, wrapTo } from '../../terminal/width.ts'
import type { SlashCommand } from './slash-command.ts'

const notes = ['All other keys edit as in a shell.', 'To send text that starts with a slash, type two: //text']

export function helpText(commands: readonly SlashCommand[], look: TableLook): string {
  const rows = commands.map(({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help])
  const keyRows = keyHelp.map(({ keys, help }) => [keys, help])
  const lines = [
    ...tableLines([{ title: 'command' }, { title: 'description' }], rows, look),
    '',
    ...tableLines([{ title: 'key' }, { title: 'description' }], keyRows, look),
    '',
    ...notes,
  ]
  return lines
    .flatMap((line) => wrapIndented(line, look.width))
    .map((line) => `${line}\n`)
    .join('')
}

/** Wraps a line, and indents the parts like it. */
function wrapIndented(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  if (widthOf(line) <= columns) return [line]
  return wrapTo(line.slice(indent.length), columns - indent.length).map((part) => indent + part)
}
