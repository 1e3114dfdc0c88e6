/** What /help prints: the commands, the keys, and how to send a text that begins with a slash. */

import { keyHelp } from '../../terminal/line-editor/keymap.ts'
import { tableLines, type TableLook } from '../../terminal/table.ts'
import { widthOf, wrapTo } from '../../terminal/width.ts'
import type { SlashCommand } from './slash-command.ts'

const notes = ['The other keys edit as in a shell.', '//text sends text that begins with a slash.']

export function helpText(commands: readonly SlashCommand[], look: TableLook): string {
  const rows = commands.map(({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help])
  const keyRows = keyHelp.map(({ keys, help }) => [keys, help])
  const lines = [
    ...tableLines([{ title: 'command' }, { title: 'what it does' }], rows, look),
    '',
    ...tableLines([{ title: 'key' }, { title: 'what it does' }], keyRows, look),
    '',
    ...notes,
  ]
  return lines
    .flatMap((line) => wrapIndented(line, look.width))
    .map((line) => `${line}\n`)
    .join('')
}

/** Wraps a line that is too wide, and indents each part as the line. */
function wrapIndented(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  if (widthOf(line) <= columns) return [line]
  return wrapTo(line.slice(indent.length), columns - indent.length).map((part) => indent + part)
}
