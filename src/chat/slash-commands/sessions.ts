import { writeList } from '../../conversation/list.ts'
import { openStore } from '../../conversation/store.ts'
import type { SlashCommand } from './slash-command.ts'

export const sessions: SlashCommand = {
  name: 'sessions',
  synonyms: ['/history'],
  help: 'List the saved conversations.',
  run: async (_argument, chat) => {
    const summaries = await openStore(chat.context).list()
    if (summaries.length === 0) return 'no saved conversations'
    return writeList(summaries, chat.context.io.out, chat.style)
  },
}
