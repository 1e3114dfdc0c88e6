import { FailedError } from '../../errors.ts'
import { messageOf } from '../attachments.ts'
import { lastTurn } from '../state.ts'
import { checkedModel, completeModel } from '../typed-model.ts'
import { turnWith, unansweredDraft } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const retry: SlashCommand = {
  name: 'retry',
  argument: '[MODEL]',
  help: 'Send the last message again; MODEL applies only once.',
  complete: completeModel,
  run: async (typed, chat) => {
    const model = typed === undefined ? undefined : await checkedModel(typed, '/retry', chat)
    const last = lastTurn(chat)
    if (!last) throw new FailedError('/retry: no message yet')
    const unanswered = unansweredDraft(last, chat)
    const turn = { ...turnWith(unanswered && messageOf(unanswered), last, chat), isRetry: true }
    // That of an answered message is kept for /edit, and has what holds for its request.
    return { kind: 'ask', turn, draft: unanswered ?? chat.drafts.get(last.id), model }
  },
}
