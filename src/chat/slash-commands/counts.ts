/** The slash commands that show tokens, costs and the quota. */

import { answersIn } from '../../conversation/conversation.ts'
import { safe } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { modelList } from '../answer.ts'
import type { SlashCommand } from './slash-command.ts'
import { UsageTotals } from '../../answer/usage-totals.ts'
import { quotaLeftText, readQuota } from '../../quota/record.ts'
import { quotaText } from '../../quota/view.ts'

const usage: SlashCommand = {
  name: 'usage',
  synonyms: ['/status', '/stats', '/tokens'],
  help: 'Show tokens and cost of this chat and of the conversation, and the quota left.',
  runsAtOnce: true,
  run: async (_argument, chat) => {
    const { recentQuota } = await chat.context.client.connected()
    const left = recentQuota && quotaLeftText(recentQuota)
    const list = await modelList(chat)
    const conversation = UsageTotals.of(answersIn(chat.session.conversation.nodes))
    const texts = [conversation, chat.usageTotals].map((totals) => totals.summary(list))
    // The totals differ after -c, /new, and another conversation.
    const named = [`in this conversation: ${texts[0]}`, ...(texts[0] === texts[1] ? [] : [`in this chat: ${texts[1]}`])]
    const lines = conversation.usage || chat.usageTotals.usage ? named : texts.slice(1)
    return [...lines, ...(left === undefined ? [] : [left])].join('\n')
  },
}

export const quota: SlashCommand = {
  name: 'quota',
  help: 'Show the quota.',
  run: async (_argument, chat) => {
    const { client, io } = chat.context
    const read = () => readQuota(client, undefined, { signal: chat.signal })
    const { recentQuota } = await client.connected()
    const record = recentQuota ?? (await withSpinner(safe`fetching the quota`, chat.context, read))
    await io.out.write(await quotaText(record, io.out, {}, chat.context))
    return quotaLeftText(record) ?? ''
  },
}

export const countCommands: readonly SlashCommand[] = [usage, quota]
