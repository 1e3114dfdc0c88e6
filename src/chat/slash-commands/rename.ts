import { requireSaved, typedName } from './conversation-name.ts'
import type { SlashCommand } from './slash-command.ts'

export const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Rename the conversation.',
  run: async (text, chat) => {
    requireSaved('/rename', chat)
    await chat.context.settings.learnKey(text)
    const name = await chat.session.rename(typedName(text))
    return `renamed the conversation to ${JSON.stringify(name)}`
  },
}
