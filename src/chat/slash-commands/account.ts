/** Commands that tell what was used, and what is left. */

import { countAll } from '../../api/messages/count.ts'
import { fromChat } from '../../api/messages/from-chat.ts'
import { contextLengthOf } from '../../api/models.ts'
import { FailedError } from '../../errors.ts'
import { loadForm } from '../../quota/form.ts'
import { readQuota } from '../../quota/read.ts'
import { countsText } from '../../models/token-counts.ts'
import { waitFor } from '../../terminal/waiting.ts'
import { messagesOf } from '../../conversation/conversation.ts'
import { currentModel, modelName } from '../answer.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'

const tokens: SlashCommand = {
  name: 'tokens',
  help: 'Have the service count the tokens of the conversation.',
  run: async (_argument, chat) => {
    const { client, catalogue, io } = chat.context
    const conversation = messagesOf(chat.session.path, [], chat.system)
    const { messages, ...others } = fromChat(conversation)
    if (messages.length === 0) throw new FailedError('nothing was said yet')
    const model = await currentModel(chat, conversation)
    const sender: Parameters<typeof countAll>[2] = {
      send: (operation, body) => client.send(operation, body, { signal: chat.signal }),
    }
    const counts = await waited('counting tokens', chat, () => countAll([{ messages }], { model, ...others }, sender))
    const name = await modelName(chat)
    const length = contextLengthOf(await catalogue.modelsAside(), name)
    await io.out.write(countsText(counts, length === undefined ? undefined : { length, model: name }, io.out))
  },
}

const usage: SlashCommand = {
  name: 'usage',
  help: 'Tell what the answers of this chat have taken.',
  run: async (_argument, chat) => note(chat, chat.tally.text(await chat.context.catalogue.modelsAside())),
}

const quota: SlashCommand = {
  name: 'quota',
  help: 'Ask the service what is used and what is left.',
  run: async (_argument, chat) => {
    const { client, io } = chat.context
    const form = await loadForm({}, io.out, chat.style, io)
    const record = await waited('asking for the quota', chat, () => readQuota(client, { signal: chat.signal }))
    await io.out.write(form(record, io.out.columns()))
  },
}

export const accountCommands = [tokens, usage, quota]

function waited<Result>(text: string, { context }: ChatState, work: () => Promise<Result>): Promise<Result> {
  const { options, settings } = context
  return waitFor(work, { text, quiet: options.quiet, color: settings.get('color')?.value }, context)
}
