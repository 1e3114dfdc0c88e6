import { linesOf, noText, safe, sanitizeForTerminal } from '../../io/text/safe-text.ts'
import { widthOf } from '../../terminal/width.ts'
import { inputPrompt } from '../attachments.ts'
import { answerParts } from '../past-answer.ts'
import { printNotice } from '../state.ts'
import { completeNumber, numberedTurn, numberedTurns } from './numbered.ts'
import { sentDraft } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const show: SlashCommand = {
  name: 'show',
  argument: '[N]',
  help: 'Show message N and its answer again; alone, the last.',
  runsAtOnce: true,
  complete: completeNumber,
  run: async (typed, chat, out) => {
    const { number, turn, answer } = numberedTurn(typed, '/show', chat)
    const isSummary = number === 0
    const { words, attachments } = sentDraft(turn, chat)
    const prompt = inputPrompt({ ...chat, attachments })
    const indent = safe` `.repeat(widthOf(prompt))
    const message = sanitizeForTerminal(words).split('\n')
    const lines = (isSummary ? [] : message).map(
      (line, index) => safe`${index === 0 ? prompt : indent}${chat.style.bold(line)}`,
    )
    const parts = answer ? await answerParts(answer, chat) : []
    await printNotice(chat, isSummary ? 'the summary' : `message ${number} of ${numberedTurns(chat).length}`, out)
    await out.write(linesOf([...lines, ...parts.flatMap((part) => [noText, part])]))
    return answer ? undefined : 'no answer yet'
  },
}
