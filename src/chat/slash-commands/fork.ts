import { withStillAttached } from '../attachments.ts'
import { requireSaved, typedName } from './conversation-name.ts'
import type { SlashCommand } from './slash-command.ts'

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[NAME]',
  help: 'Continue in a copy of the conversation.',
  run: async (text, chat) => {
    requireSaved('/fork', chat)
    chat.session = await chat.session.fork(text === '' ? undefined : typedName(text))
    return withStillAttached('continuing in a copy; the original stays unchanged', chat)
  },
}
