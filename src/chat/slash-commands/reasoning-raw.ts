/** /reasoning and /raw: how answers are shown. */

import { quote } from '../../io/json.ts'
import { invalidValue } from '../../fields/problem.ts'
import { note } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

const words = ['on', 'off']

export const reasoning: SlashCommand = {
  name: 'reasoning',
  argument: '[on|off]',
  help: 'Show all of the reasoning, or one line of it; alone tells.',
  complete: () => words,
  run: async (word, chat) => {
    if (word !== '') chat.showsReasoning = isOn(word, '/reasoning')
    await note(chat, `reasoning is ${chat.showsReasoning ? 'shown' : 'summed up'}`)
  },
}

export const raw: SlashCommand = {
  name: 'raw',
  argument: '[on|off]',
  help: 'Show Markdown as it is, or laid out; alone tells.',
  complete: () => words,
  run: async (word, chat) => {
    if (word !== '') chat.isRaw = isOn(word, '/raw')
    await note(chat, `Markdown is shown ${chat.isRaw ? 'as it is' : 'laid out'}`)
  },
}

function isOn(word: string, command: string): boolean {
  if (words.includes(word)) return word === 'on'
  throw invalidValue(command, { path: [], found: quote(word), expected: 'on or off' })
}
