/** The slash commands that set how answers are shown. */

import { invalidValue } from '../../fields/problem.ts'
import { quote } from '../../io/json/print.ts'
import { messageReasoning } from '../../conversation/message.ts'
import { safe } from '../../io/text/safe-text.ts'
import { answerParts } from '../stored-answer.ts'
import { printNotice, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

const values = ['on', 'off']

const onOff = { argument: '[on|off]', complete: () => values.map((text) => ({ text })) }

/** @throws UsageError for another word. */
function isOn(word: string, command: string): boolean {
  if (values.includes(word)) return word === 'on'
  throw invalidValue(command, { path: [], found: quote(word), expected: 'on or off' })
}

const reasoning: SlashCommand = {
  name: 'reasoning',
  ...onOff,
  help: 'Show the last reasoning; on: also that of later answers.',
  run: async (word, chat) => {
    if (word === undefined) await printReasoning(chat)
    else chat.showsReasoning = isOn(word, '/reasoning')
    return `reasoning of later answers: ${chat.showsReasoning ? 'in full' : 'one line'}`
  },
}

async function printReasoning(chat: ChatState): Promise<void> {
  const answer = chat.session.lastAnswer
  const texts = answer ? [answer.message, ...answer.otherChoices].map(messageReasoning) : []
  if (!answer || texts.every((text) => text.trim() === '')) {
    return printNotice(chat, answer ? 'the last answer has no reasoning' : 'no answer yet')
  }
  for (const part of await answerParts(answer, chat, { hasText: false })) {
    await chat.context.io.out.write(safe`${part}\n\n`)
  }
}

const raw: SlashCommand = {
  name: 'raw',
  ...onOff,
  help: 'Show Markdown as source or rendered; alone, show which.',
  run: async (word, chat) => {
    if (word !== undefined) chat.isRaw = isOn(word, '/raw')
    return `Markdown: ${chat.isRaw ? 'shown as source' : 'rendered'}`
  },
}

export const displayCommands: readonly SlashCommand[] = [reasoning, raw]
