import { safe } from '../../io/text/safe-text.ts'
import { quotaLeftText, readQuota } from '../../quota/record.ts'
import { loadQuotaFormat } from '../../quota/view.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import type { SlashCommand } from './slash-command.ts'

export const quota: SlashCommand = {
  name: 'quota',
  help: 'Show the quota.',
  run: async (_argument, chat) => {
    const { client, io } = chat.context
    const format = await loadQuotaFormat({}, io.out, chat.style, io)
    const read = () => readQuota(client, undefined, { signal: chat.signal })
    const { recentQuota } = await client.connected()
    const record = recentQuota ?? (await withSpinner(safe`fetching the quota`, chat.context, read))
    await io.out.write(format(record, io.out.columns()))
    return quotaLeftText(record) ?? ''
  },
}
