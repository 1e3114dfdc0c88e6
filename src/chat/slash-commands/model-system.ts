/** /model and /system: which model answers from the next message on, and with which instruction. */

import { modelAliases } from '../../fields/kinds.ts'
import { parseFlags } from '../../fields/parse.ts'
import { currentModelName } from '../answer.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const model: SlashCommand = {
  name: 'model',
  argument: '[NAME]',
  help: 'Ask this model from here on; alone tells which one it is.',
  complete: modelNames,
  run: async (name, chat) => {
    if (name !== '') {
      await checkModel(name, '/model', chat)
      chat.model = name
    }
    chat.toldModel = await currentModelName(chat)
    await note(chat, `the model is ${chat.toldModel}`)
  },
}

export const system: SlashCommand = {
  name: 'system',
  argument: '[TEXT]',
  help: 'Give an instruction, or "" for none; alone shows it.',
  run: async (text, chat) => {
    if (text !== '') chat.system = text === '""' ? '' : text
    const current = chat.system ?? chat.session.system
    await note(chat, current ? `the instruction is: ${current}` : 'there is no instruction')
  },
}

/** @throws UsageError for what can't be the name of a model. */
export async function checkModel(name: string, command: string, { family, context }: ChatState): Promise<void> {
  const { model: row } = family.operation.fields
  if (row) await parseFlags({ model: row }, new Map([['model', name]]), context.io, () => command)
}

/** For Tab: the aliases, which are always available, and then the models of the service that are not for embeddings. */
export async function modelNames(_typed: string, { context: { catalog } }: ChatState): Promise<string[]> {
  const fetched = await catalog.modelsIfAvailable()
  const known = fetched.length > 0 ? fetched : await catalog.cachedModels()
  const listed = known.filter(({ isEmbedding }) => !isEmbedding).map(({ id }) => id)
  return [...new Set([...modelAliases, ...listed])]
}
