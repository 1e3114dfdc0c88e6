/** /reasoning and /raw: how answers are shown. */

import { quote } from '../../io/json.ts'
import { invalidValue } from '../../fields/problem.ts'
import { printNotice } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

const values = ['on', 'off']

export const reasoning: SlashCommand = {
  name: 'reasoning',
  argument: '[on|off]',
  help: 'Show reasoning in full or as one line; alone, show which.',
  complete: () => values,
  run: async (word, chat) => {
    if (word !== '') chat.showsReasoning = isOn(word, '/reasoning')
    await printNotice(chat, `reasoning: ${chat.showsReasoning ? 'shown in full' : 'shown as one line'}`)
  },
}

export const raw: SlashCommand = {
  name: 'raw',
  argument: '[on|off]',
  help: 'Show Markdown as source or rendered; alone, show which.',
  complete: () => values,
  run: async (word, chat) => {
    if (word !== '') chat.isRaw = isOn(word, '/raw')
    await printNotice(chat, `Markdown: ${chat.isRaw ? 'shown as source' : 'rendered'}`)
  },
}

function isOn(word: string, command: string): boolean {
  if (values.includes(word)) return word === 'on'
  throw invalidValue(command, { path: [], found: quote(word), expected: 'on or off' })
}
