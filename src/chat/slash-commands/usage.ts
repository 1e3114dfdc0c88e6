import { quotaLeftText } from '../../quota/record.ts'
import type { SlashCommand } from './slash-command.ts'

export const usage: SlashCommand = {
  name: 'usage',
  synonyms: ['/status', '/stats'],
  help: 'Show tokens, cost and the quota left.',
  runsAtOnce: true,
  run: async (_argument, chat) => {
    const { client, catalog } = chat.context
    const { recentQuota } = await client.connected()
    const left = recentQuota && quotaLeftText(recentQuota)
    return [chat.usageTotals.summary(await catalog.modelsIfAvailable()), ...(left === undefined ? [] : [left])].join(
      ' · ',
    )
  },
}
