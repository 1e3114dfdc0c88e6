import { currentModelName } from '../answer.ts'
import { withStillAttached } from '../attachments.ts'
import { switchTo } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const newConversation: SlashCommand = {
  name: 'new',
  synonyms: ['/clear', '/reset', 'clear'],
  help: 'Start a new conversation.',
  run: async (_argument, chat) => {
    switchTo(chat.session.startNew(), chat)
    const model = await currentModelName(chat)
    const other = model === chat.announcedModel ? '' : ` with ${model}`
    chat.announcedModel = model
    return withStillAttached(`started a new conversation${other}`, chat)
  },
}
