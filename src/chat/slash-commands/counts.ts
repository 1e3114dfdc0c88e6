/** The slash commands that count tokens, costs and the quota. */

import { fromChat } from '../../api/messages/convert.ts'
import type { Sender } from '../../api/operations.ts'
import { contextLengthOf } from '../../api/models.ts'
import { branchMessages, answersIn } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { safe } from '../../io/text/safe-text.ts'
import { countWithAny } from '../../models/counting.ts'
import { writeCounts } from '../../models/token-counts.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModel, currentModelName, modelList } from '../answer.ts'
import type { SlashCommand } from './slash-command.ts'
import { UsageTotals } from '../../answer/usage-totals.ts'
import { quotaLeftText, readQuota } from '../../quota/record.ts'
import { quotaText } from '../../quota/view.ts'

const tokens: SlashCommand = {
  name: 'tokens',
  help: 'Count the tokens of the conversation.',
  run: async (_argument, chat) => {
    const { client, io } = chat.context
    const conversation = branchMessages(chat.session.path, { messages: [], system: chat.system }, { wantsTurns: true })
    const { messages, ...others } = fromChat(conversation)
    if (messages.length === 0) throw new FailedError('/tokens: no message yet')
    const model = await currentModel(chat, conversation)
    const sender: Sender = {
      send: (operation, body) => client.send(operation, body, { signal: chat.signal }),
    }
    const request = { model, ...others }
    const count = () => countWithAny([{ messages }], request, chat.limits, { ...chat.context, client: sender })
    const counts = await withSpinner(safe`counting tokens`, chat.context, count)
    const name = await currentModelName(chat)
    const length = contextLengthOf(await modelList(chat), name)
    await writeCounts({ model: name, length, counts }, io.out)
  },
}

const usage: SlashCommand = {
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

export const countCommands: readonly SlashCommand[] = [tokens, usage, quota]
