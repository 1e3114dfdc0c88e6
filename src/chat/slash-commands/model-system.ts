/** /model and /system: the model and the system prompt from the next message on. */

import { isAlias, type Model } from '../../api/models.ts'
import { systemOf } from '../../conversation/conversation.ts'
import { readTextArgument } from '../../fields/document.ts'
import { acceptingAnyModel } from '../../fields/field.ts'
import { modelAliases } from '../../fields/kinds.ts'
import { suggestion } from '../../fields/nearest.ts'
import { parseFlags } from '../../fields/parse.ts'
import { safe } from '../../io/text/safe-text.ts'
import { meantModel } from '../../models/typed-name.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { currentModelName } from '../answer.ts'
import { readNamed } from '../attachments.ts'
import { printNotice, type ChatState } from '../state.ts'
import { emptyQuotes, type SlashCommand } from './slash-command.ts'
import { completePath, existingPath } from './typed-path.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  help: 'Switch to a model; alone, show the current one.',
  complete: completeModel,
  run: async (name, chat) => {
    if (name !== '') {
      chat.model = await checkedModel(name, '/model', chat)
    }
    chat.announcedModel = await currentModelName(chat)
    const doubt = name === '' ? '' : await unlistedText(chat.model ?? name, chat)
    await printNotice(chat, `model: ${chat.announcedModel}${doubt}`)
  },
}

export const system: SlashCommand = {
  name: 'system',
  argument: '[TEXT|@FILE]',
  takesText: true,
  help: 'Set the system prompt; "" removes it; alone, show it.',
  complete: async (typed, { context: { io } }) =>
    typed.startsWith('@') ? (await completePath(typed.slice(1), io)).map((path) => `@${path}`) : [],
  run: async (text, chat) => {
    if (text !== '') chat.system = text === emptyQuotes ? '' : await readSystem(text, chat)
    const current = chat.system ?? systemOf(chat.session.path)
    await printNotice(chat, current ? `system prompt: ${current}` : 'no system prompt')
  },
}

/** As `--system` reads it. */
function readSystem(text: string, chat: ChatState): Promise<string> {
  if (!text.startsWith('@')) return Promise.resolve(text)
  const path = existingPath(text.slice(1), chat.context.io)
  return readNamed(path, chat, (io) => readTextArgument(`@${path}`, '/system', io))
}

/**
 * The only known model that the name is a part of, or the name itself.
 * @throws UsageError for an invalid name, or one of several models.
 */
export async function checkedModel(typed: string, command: string, { family, context }: ChatState): Promise<string> {
  const { catalog } = context
  const accepts = (model: Model): boolean => catalog.accepts(model)
  const name =
    meantModel(typed, await catalog.modelsIfAvailable(), { where: command, accepts, isEmbedding: false }) ?? typed
  const { model: row } = family.operation.fields
  if (!row) return name
  const rows = { model: row }
  const accepted = context.settings.anyModel ? acceptingAnyModel(rows) : rows
  await parseFlags(accepted, new Map([['model', name]]), context.io, () => command)
  return name
}

/** The service may have models that it does not list. @returns '' for a listed one, and without a list. */
async function unlistedText(name: string, chat: ChatState): Promise<string> {
  const listed = await withSpinner(safe`fetching the model list`, chat.context, () => completeModel(name, chat))
  return listed.length <= modelAliases.length || listed.includes(name)
    ? ''
    : `, which is not in the list of models${suggestion(name, listed)}`
}

/** For Tab: the aliases, then the models of the service except those for embeddings. */
export async function completeModel(_typed: string, { context: { catalog } }: ChatState): Promise<string[]> {
  const fetched = await catalog.modelsIfAvailable()
  const known = fetched.length > 0 ? fetched : catalog.cachedModels()
  const accepted = known.filter((one) => !one.isEmbedding && (isAlias(one) || catalog.accepts(one)))
  return [...new Set([...modelAliases, ...accepted.map(({ id }) => id)])]
}
