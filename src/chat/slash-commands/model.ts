import { safe } from '../../io/text/safe-text.ts'
import { modelAliases } from '../../fields/kinds.ts'
import { suggestion } from '../../fields/nearest.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModelName } from '../answer.ts'
import { checkedModel, completeModel } from '../typed-model.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  synonyms: ['/models', 'models'],
  argument: '[NAME]',
  help: 'Switch to a model; alone, show the current one.',
  complete: completeModel,
  run: async (name, chat) => {
    const chosen = name === undefined ? undefined : await checkedModel(name, '/model', chat)
    chat.model = chosen ?? chat.model
    chat.announcedModel = await currentModelName(chat)
    const text = `model: ${chat.announcedModel}`
    if (chosen === undefined) return text
    const listed = await withSpinner(safe`fetching the model list`, chat.context, () => completeModel('', chat))
    const names = listed.map(({ text }) => text)
    // The service may have models that it does not list. Without a list, only the aliases are known.
    if (names.length <= modelAliases.length || names.includes(chosen)) return text
    return `${text}, which is not in the list of models${suggestion(chosen, names)}`
  },
}
