/** Names of models typed in the chat. */

import { isAlias } from '../api/models.ts'
import { acceptingAnyModel } from '../fields/field.ts'
import { modelAliases } from '../fields/kinds.ts'
import { parseFlag } from '../fields/parse.ts'
import { modelFacts } from '../models/view.ts'
import { meantModel } from '../models/typed-name.ts'
import type { Candidate } from '../terminal/line-editor/candidate-list.ts'
import { currentModel, modelList } from './answer.ts'
import type { ChatState } from './state.ts'

/**
 * The only known model that the name is a part of, or the name itself.
 * @throws UsageError for an invalid name, or one of several models.
 */
export async function checkedModel(typed: string, command: string, chat: ChatState): Promise<string> {
  const { context, family } = chat
  const name = meantModel(typed, await modelList(chat), { where: command, catalog: context.catalog }) ?? typed
  const { fields } = family.operation
  const { model } = context.settings.anyModel ? acceptingAnyModel(fields) : fields
  if (model) await parseFlag(model, command, name, context.io)
  return name
}

/** The aliases, then the models of the service except those for embeddings. */
export async function completeModel(_scope: string, chat: ChatState): Promise<Candidate[]> {
  const { catalog } = chat.context
  const fetched = await catalog.modelsIfAvailable()
  const known = fetched.length > 0 ? fetched : catalog.cachedModels()
  const accepted = known.filter((one) => !one.isEmbedding && (isAlias(one) || catalog.accepts(one)))
  const current = await currentModel(chat, [], { info: () => Promise.resolve() }).catch(() => undefined)
  const named = new Map<string, string[]>(modelAliases.map((id) => [id, []]))
  for (const one of accepted) named.set(one.id, modelFacts(one))
  return [...named].map(([text, facts]) => ({
    text,
    help: [...(text === current ? ['current'] : []), ...facts].join(' · '),
  }))
}
