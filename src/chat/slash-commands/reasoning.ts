import { chooseReasoningFilter } from '../../answer/choose-printer.ts'
import { answersIn } from '../../conversation/conversation.ts'
import { messageReasoning } from '../../conversation/message.ts'
import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { filterText } from '../../terminal/text-filter.ts'
import { answerTitle } from '../answer.ts'
import { printNotice, type ChatState } from '../state.ts'
import { isOn, onOff } from './on-off.ts'
import type { SlashCommand } from './slash-command.ts'

export const reasoning: SlashCommand = {
  name: 'reasoning',
  ...onOff,
  help: 'Show the last reasoning; on: also that of later answers.',
  runsAtOnce: true,
  run: async (word, chat) => {
    if (word === undefined) await printReasoning(chat)
    else chat.showsReasoning = isOn(word, '/reasoning')
    return `reasoning of later answers: ${chat.showsReasoning ? 'in full' : 'one line'}`
  },
}

/** As it is shown with an answer. Each of several answers has a heading. */
async function printReasoning(chat: ChatState): Promise<void> {
  const { context, session, style, isRaw, isAtOnce } = chat
  const { io } = context
  // The answer that arrives meanwhile has no message yet.
  const answer = isAtOnce ? answersIn(session.path).at(-1) : session.lastAnswer
  const texts = answer ? [answer.message, ...answer.otherChoices].map(messageReasoning) : []
  if (texts.every((text) => text.trim() === '')) {
    return printNotice(chat, answer ? 'the last answer has no reasoning' : 'no answer yet')
  }
  const newFilter = chooseReasoningFilter({ raw: isRaw }, io, io.out)
  for (const [index, text] of texts.entries()) {
    if (texts.length > 1) await io.out.write(safe`${style.bold(sanitizeName(answerTitle(index)))}\n`)
    const shown = await filterText(text.trimEnd(), newFilter(), io.signal)
    await io.out.write(safe`${style.dim(shown)}\n\n`)
  }
}
