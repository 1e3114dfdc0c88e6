import { isSummaryTurn } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { withStillAttached } from '../attachments.ts'
import { printNotice } from '../state.ts'
import { takeBack } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

/** In characters, of the message in the notice. */
const excerptLength = 60

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    if (isSummaryTurn(turn)) return 'undone: /compact; the messages before it are back'
    chat.system ??= turn.system
    const words = takeBack(turn, chat)
    const text = words.replace(/\s+/g, ' ')
    const excerpt = text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
    await printNotice(chat, withStillAttached(`undone: ${excerpt}`, chat))
    return { kind: 'prefill', text: words }
  },
}
