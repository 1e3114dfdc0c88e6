/** /tokens, /usage and /quota: what was used, and what is left. */

import { countAll } from '../../api/messages/count.ts'
import { fromChat } from '../../api/messages/convert.ts'
import { contextLengthOf } from '../../api/models.ts'
import { messagesOf } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { loadQuotaFormat } from '../../quota/view.ts'
import { readQuota } from '../../quota/record.ts'
import { countsText } from '../../models/token-counts.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModel, currentModelName } from '../answer.ts'
import { note } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const tokens: SlashCommand = {
  name: 'tokens',
  help: 'Have the service count the tokens of the conversation.',
  run: async (_argument, chat) => {
    const { client, catalog, io } = chat.context
    const conversation = messagesOf(chat.session.path, [], chat.system)
    const { messages, ...others } = fromChat(conversation)
    if (messages.length === 0) throw new FailedError('nothing was said yet')
    const model = await currentModel(chat, conversation)
    const sender: Parameters<typeof countAll>[2] = {
      send: (operation, body) => client.send(operation, body, { signal: chat.signal }),
    }
    const count = () => countAll([{ messages }], { model, ...others }, sender)
    const counts = await withSpinner('counting tokens', chat.context, count)
    const name = await currentModelName(chat)
    const length = contextLengthOf(await catalog.modelsIfAvailable(), name)
    await io.out.write(countsText(counts, length === undefined ? undefined : { length, model: name }, io.out))
  },
}

export const usage: SlashCommand = {
  name: 'usage',
  help: 'Tell what the answers of this chat have taken.',
  run: async (_argument, chat) => note(chat, chat.usageTotals.summary(await chat.context.catalog.modelsIfAvailable())),
}

export const quota: SlashCommand = {
  name: 'quota',
  help: 'Ask the service what is used and what is left.',
  run: async (_argument, chat) => {
    const { client, io } = chat.context
    const format = await loadQuotaFormat({}, io.out, chat.style, io)
    const read = () => readQuota(client, { signal: chat.signal })
    const record = await withSpinner('asking for the quota', chat.context, read)
    await io.out.write(format(record, io.out.columns()))
  },
}
