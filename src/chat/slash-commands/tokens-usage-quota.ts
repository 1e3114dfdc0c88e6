/** /tokens, /usage and /quota: what the conversation, the chat and the account have used. */

import { countAll, countTokens } from '../../api/messages/count.ts'
import { fromChat } from '../../api/messages/convert.ts'
import { contextLengthOf } from '../../api/models.ts'
import { branchMessages } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { safe } from '../../io/text/safe-text.ts'
import { loadQuotaFormat } from '../../quota/view.ts'
import { readQuota } from '../../quota/record.ts'
import { withModelHint } from '../../models/rotation.ts'
import { writeCounts } from '../../models/token-counts.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModel, currentModelName, modelList, useModelCommand } from '../answer.ts'
import { printNotice } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const tokens: SlashCommand = {
  name: 'tokens',
  help: 'Count the tokens of the conversation.',
  run: async (_argument, chat) => {
    const { client, catalog, io } = chat.context
    const conversation = branchMessages(chat.session.path, [], chat.system)
    const { messages, ...others } = fromChat(conversation)
    if (messages.length === 0) throw new FailedError('/tokens: no message yet')
    const model = await currentModel(chat, conversation)
    const sender: Parameters<typeof countAll>[2] = {
      send: (operation, body) => client.send(operation, body, { signal: chat.signal }),
    }
    const request = { model, ...others }
    const count = () =>
      countAll([{ messages }], request, sender).catch(async (error: unknown) => {
        const body = { ...request, messages: [...messages] }
        throw await withModelHint(error, { operation: countTokens, body, aliasHint: useModelCommand }, catalog)
      })
    const counts = await withSpinner(safe`counting tokens`, chat.context, count)
    const name = await currentModelName(chat)
    const length = contextLengthOf(await modelList(chat), name)
    await writeCounts(counts, length === undefined ? undefined : { length, model: name }, io.out)
  },
}

export const usage: SlashCommand = {
  name: 'usage',
  help: 'Show the tokens and the cost of this chat.',
  run: async (_argument, chat) => printNotice(chat, chat.usageTotals.summary(await modelList(chat))),
}

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
  },
}
