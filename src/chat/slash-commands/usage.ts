import { quotaLeftText } from '../../quota/record.ts'
import { modelList } from '../answer.ts'
import type { SlashCommand } from './slash-command.ts'

export const usage: SlashCommand = {
  name: 'usage',
  synonyms: ['/status', '/stats'],
  help: 'Show tokens, cost and the quota left.',
  runsAtOnce: true,
  run: async (_argument, chat) => {
    const { recentQuota } = await chat.context.client.connected()
    const left = recentQuota && quotaLeftText(recentQuota)
    return [chat.usageTotals.summary(await modelList(chat)), ...(left === undefined ? [] : [left])].join(' · ')
  },
}
