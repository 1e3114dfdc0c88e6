import type { TurnEntry } from '../../conversation/entry.ts'
import { FailedError } from '../../errors.ts'
import { asPasted, plainText } from '../../terminal/line-editor/pasted-at.ts'
import { attach, withStillAttached } from '../attachments.ts'
import { type Draft, printNotice } from '../state.ts'
import { sentContent } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

/** In characters, of the message in the notice. */
const excerptLength = 60

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    chat.system ??= turn.system
    const { words, attachments } = chat.drafts.get(turn.id) ?? draftOf(turn)
    for (const one of attachments) attach(one, chat)
    const text = plainText(words).replace(/\s+/g, ' ')
    const excerpt = text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
    await printNotice(chat, withStillAttached(`undone: ${excerpt}`, chat))
    return { kind: 'prefill', text: words }
  },
}

/** Of a message from before this chat. */
function draftOf(turn: TurnEntry): Draft {
  const { text, images } = sentContent(turn)
  const attachments = images.map((image, index) => ({ kind: 'image', name: `image ${index + 1}`, image }) as const)
  // The text has that of its files, whatever `@` there is in it.
  return { words: asPasted(text), attachments }
}
