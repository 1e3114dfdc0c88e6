/** Names of models typed in the chat. */

import { isAlias, type Model } from '../api/models.ts'
import { acceptingAnyModel } from '../fields/field.ts'
import { modelAliases } from '../fields/kinds.ts'
import { parseFlags } from '../fields/parse.ts'
import { meantModel } from '../models/typed-name.ts'
import type { ChatState } from './state.ts'

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

/** For Tab: the aliases, then the models of the service except those for embeddings. */
export async function completeModel(_typed: string, { context: { catalog } }: ChatState): Promise<string[]> {
  const fetched = await catalog.modelsIfAvailable()
  const known = fetched.length > 0 ? fetched : catalog.cachedModels()
  const accepted = known.filter((one) => !one.isEmbedding && (isAlias(one) || catalog.accepts(one)))
  return [...new Set([...modelAliases, ...accepted.map(({ id }) => id)])]
}
