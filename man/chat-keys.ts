/** The keys of the interactive chat, for syn-chat(1). */

import { keyHelp } from '../src/terminal/line-editor/keymap.ts'
import { macro, prose } from './macros.ts'
import { list, type Section } from './mdoc.ts'

const introduction = 'In the interactive chat the line is edited as in a shell, with the keys of emacs. Besides:'

export function chatKeys(): Section {
  const items = keyHelp.flatMap(({ keys, help }) => [macro('It', keys), prose(help)])
  return ['.Sh KEYS', prose(introduction), ...list(items)]
}
