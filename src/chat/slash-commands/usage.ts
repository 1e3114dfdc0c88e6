import { modelList } from '../answer.ts'
import type { SlashCommand } from './slash-command.ts'

export const usage: SlashCommand = {
  name: 'usage',
  synonyms: ['/status', '/stats'],
  help: 'Show the tokens and the cost of this chat.',
  runsAtOnce: true,
  run: async (_argument, chat) => chat.usageTotals.summary(await modelList(chat)),
}
