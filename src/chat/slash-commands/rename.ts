import type { SlashCommand } from './slash-command.ts'

export const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Rename the conversation.',
  run: async (text = '', chat) => {
    const name = await chat.session.rename(text)
    return `renamed the conversation to ${JSON.stringify(name)}`
  },
}
