import { safe } from '../../io/text/safe-text.ts'
import { modelAliases } from '../../fields/kinds.ts'
import { suggestion } from '../../fields/nearest.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModelName } from '../answer.ts'
import type { ChatState } from '../state.ts'
import { checkedModel, completeModel } from '../typed-model.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  synonyms: ['/models', 'models'],
  argument: '[NAME]',
  help: 'Switch to a model; alone, show the current one.',
  complete: completeModel,
  run: async (name, chat) => {
    if (name !== undefined) chat.model = await checkedModel(name, '/model', chat)
    chat.announcedModel = await currentModelName(chat)
    const doubt = chat.model === undefined || name === undefined ? '' : await unlistedText(chat.model, chat)
    return `model: ${chat.announcedModel}${doubt}`
  },
}

/** The service may have models that it does not list. @returns '' for a listed one, and without a list. */
async function unlistedText(name: string, chat: ChatState): Promise<string> {
  const listed = await withSpinner(safe`fetching the model list`, chat.context, () => completeModel('', chat))
  const names = listed.map(({ text }) => text)
  return listed.length <= modelAliases.length || names.includes(name)
    ? ''
    : `, which is not in the list of models${suggestion(name, names)}`
}
