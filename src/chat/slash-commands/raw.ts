import { isOn, onOff } from './on-off.ts'
import type { SlashCommand } from './slash-command.ts'

export const raw: SlashCommand = {
  name: 'raw',
  ...onOff,
  help: 'Show Markdown as source or rendered; alone, show which.',
  run: async (word, chat) => {
    if (word !== undefined) chat.isRaw = isOn(word, '/raw')
    return `Markdown: ${chat.isRaw ? 'shown as source' : 'rendered'}`
  },
}
