import { toChatMessage } from '../../api/chat/messages.ts'
import { plainText } from '../../terminal/line-editor/pasted-at.ts'
import { messageOf } from '../attachments.ts'
import { readMentions } from '../mentions.ts'
import { lastTurn, newSystem } from '../state.ts'
import { sentContent, unansweredDraft } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

export const edit: SlashCommand = {
  name: 'edit',
  help: 'Edit the last message in $EDITOR, and send it.',
  run: async (_argument, chat) => {
    const instead = lastTurn(chat)
    const draft = instead ? unansweredDraft(instead, chat) : { words: '', attachments: chat.attachments }
    const { text: before, images } = instead ? sentContent(instead) : { text: '', images: [] }
    const shown = plainText(draft?.words ?? before)
    const text = await chat.edit(shown)
    if (text.trim() === '' || text === shown) return 'no changes, nothing sent'
    chat.showMessage(text)
    const edited = draft && { ...draft, words: text, mentioned: await readMentions(text, chat) }
    const message = (edited && messageOf(edited)) ?? { role: 'user', text, images }
    const turn = { system: newSystem(chat), messages: [toChatMessage(message)], instead }
    return { kind: 'ask', turn, draft: edited }
  },
}
