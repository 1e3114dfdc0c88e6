import { toChatMessage } from '../../api/chat/messages.ts'
import { FailedError } from '../../errors.ts'
import { messageOf } from '../attachments.ts'
import { lastTurn, newSystem } from '../state.ts'
import { checkedModel, completeModel } from '../typed-model.ts'
import { unansweredDraft } from './sent-message.ts'
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
    const message = unanswered && messageOf(unanswered)
    const draft = unanswered ?? chat.drafts.get(last.id)
    const messages = message ? [toChatMessage(message)] : last.messages
    return { kind: 'ask', turn: { system: newSystem(chat), messages, instead: last, isRetry: true }, draft, model }
  },
}
