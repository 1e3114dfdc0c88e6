import { isSummaryTurn } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { withStillAttached } from '../attachments.ts'
import { printNotice } from '../state.ts'
import { excerpt, takeBack } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    if (isSummaryTurn(turn)) return 'undone: /compact; the messages before it are back'
    if (turn.undoTo !== undefined) return withStillAttached('undone: the edit; what it replaced is back', chat)
    chat.system ??= turn.system
    const words = takeBack(turn, chat)
    await printNotice(chat, withStillAttached(`undone: ${excerpt(words)}`, chat))
    return { kind: 'prefill', text: words }
  },
}
