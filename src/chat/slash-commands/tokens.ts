import { fromChat } from '../../api/messages/convert.ts'
import { countAll, countTokens } from '../../api/messages/count.ts'
import { contextLengthOf } from '../../api/models.ts'
import { branchMessages } from '../../conversation/conversation.ts'
import { FailedError } from '../../errors.ts'
import { safe } from '../../io/text/safe-text.ts'
import { withModelHint } from '../../models/rotation.ts'
import { writeCounts } from '../../models/token-counts.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModel, currentModelName, modelList } from '../answer.ts'
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
        throw await withModelHint(error, { operation: countTokens, body }, catalog)
      })
    const counts = await withSpinner(safe`counting tokens`, chat.context, count)
    const name = await currentModelName(chat)
    const length = contextLengthOf(await modelList(chat), name)
    await writeCounts([{ model: name, length, counts }], io.out)
  },
}
