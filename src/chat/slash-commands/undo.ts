import { FailedError } from '../../errors.ts'
import { attach, withStillAttached } from '../attachments.ts'
import { printNotice } from '../state.ts'
import { excerpt, sentDraft } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    chat.system ??= turn.system
    const { words, attachments } = sentDraft(turn, chat)
    for (const one of attachments) attach(one, chat)
    await printNotice(chat, withStillAttached(`undone: ${excerpt(words, chat)}`, chat))
    return { kind: 'prefill', text: words }
  },
}
