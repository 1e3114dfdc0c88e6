import { FailedError } from '../../errors.ts'
import { messageOf } from '../attachments.ts'
import { readMentions } from '../mentions.ts'
import { type ChatState, lastTurn, type Next, printNotice } from '../state.ts'
import { completeNumber, numberedTurn } from './numbered.ts'
import { draftToChange, sentDraft, takeBack, turnWith, unansweredDraft } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const edit: SlashCommand = {
  name: 'edit',
  synonyms: ['/rewind'],
  argument: '[N]',
  help: 'Edit message N and resend it; alone, the last in $EDITOR.',
  complete: completeNumber,
  run: async (typed, chat) => {
    if (typed !== undefined) return editInLine(typed, chat)
    const instead = lastTurn(chat)
    const draft = instead
      ? (unansweredDraft(instead, chat) ?? draftToChange(instead, chat))
      : { words: '', attachments: chat.attachments }
    const text = await chat.edit(draft.words)
    if (text.trim() === '' || text === draft.words) return 'no changes, nothing sent'
    chat.showMessage(text)
    const edited = { ...draft, once: undefined, words: text, ...(await readMentions(text, chat)) }
    return { kind: 'ask', turn: turnWith(messageOf(edited), instead, chat), draft: edited }
  },
}

async function editInLine(typed: string, chat: ChatState): Promise<Next> {
  const { number, turn } = numberedTurn(typed, '/edit', chat)
  if (sentDraft(turn, chat).words.trim() === '') throw new FailedError(`/edit: message ${number} has no text`)
  const attachedBefore = chat.attachments
  const text = takeBack(turn, chat)
  const kept = chat.session.isSaved ? ' (syn sessions show --all keeps them)' : ''
  await printNotice(
    chat,
    `editing message ${number}: Enter sends it in place of that one and what followed${kept}; Ctrl-C cancels`,
  )
  return { kind: 'prefill', text, edited: { number, turn, attachedBefore } }
}
