import { withStillAttached } from '../attachments.ts'
import type { SlashCommand } from './slash-command.ts'

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[NAME]',
  help: 'Continue in a copy of the conversation.',
  run: async (name, chat) => {
    chat.session = await chat.session.fork(name)
    return withStillAttached('continuing in a copy; the original stays unchanged', chat)
  },
}
