import { UsageTotals } from '../../answer/usage-totals.ts'
import { answersIn } from '../../conversation/conversation.ts'
import { quotaLeftText } from '../../quota/record.ts'
import { modelList } from '../answer.ts'
import type { SlashCommand } from './slash-command.ts'

export const usage: SlashCommand = {
  name: 'usage',
  synonyms: ['/status', '/stats'],
  help: 'Show tokens and cost of this chat and of the conversation, and the quota left.',
  runsAtOnce: true,
  run: async (_argument, chat) => {
    const { recentQuota } = await chat.context.client.connected()
    const left = recentQuota && quotaLeftText(recentQuota)
    const list = await modelList(chat)
    const conversation = UsageTotals.of(answersIn(chat.session.conversation.nodes))
    const texts = [conversation, chat.usageTotals].map((totals) => totals.summary(list))
    // They differ after -c, /new, and another conversation.
    const named = [`in this conversation: ${texts[0]}`, ...(texts[0] === texts[1] ? [] : [`in this chat: ${texts[1]}`])]
    const lines = conversation.usage || chat.usageTotals.usage ? named : texts.slice(1)
    return [...lines, ...(left === undefined ? [] : [left])].join('\n')
  },
}
