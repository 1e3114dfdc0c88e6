/** Chooses the model that answers. */

import type { ModelOperation } from '../api/operations.ts'
import { UsageError } from '../errors.ts'
import { modelAliases } from '../fields/kinds.ts'
import { suggestion } from '../fields/nearest.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from './catalog.ts'

/**
 * Returns the request's model, or else that of the environment, the conversation or the profile, or the operation's
 * alias for the request. Prints a notice for an unknown alias.
 * @param body The request without its model.
 * @param lastModel The conversation's. The default alias is chosen anew: the next message may have the first
 *   image.
 * @returns a string, unless `--param` sets something else.
 */
export async function chooseModel(
  operation: ModelOperation,
  body: JsonObject,
  { settings, notices, catalog }: { settings: Settings; notices: Pick<Notices, 'info'>; catalog: Catalog },
  lastModel?: string,
): Promise<Json> {
  const setting = settings.get('model')
  const fromEnvironment = setting?.source.startsWith('environment') ? setting.value : undefined
  const fromConversation = lastModel === operation.alias({}) ? operation.alias(body) : lastModel
  const model =
    body.model ??
    fromEnvironment ??
    fromConversation ??
    setting?.value ??
    (await defaultModel(operation, body, catalog))
  if (typeof model === 'string' && model.startsWith('syn:') && !(modelAliases as readonly string[]).includes(model)) {
    await notices.info(`unknown alias ${JSON.stringify(model)}${suggestion(model, modelAliases)}; sending it anyway`)
  }
  return model
}

/**
 * The alias for the request. Of a service that has no aliases, as the setting `any-model` says, the only model.
 * @throws UsageError if it has several.
 */
async function defaultModel(operation: ModelOperation, body: JsonObject, catalog: Catalog): Promise<string> {
  const alias = operation.alias(body)
  if (catalog.hasAliases([])) return alias
  const models = catalog.mayFetch ? await catalog.modelsIfAvailable() : catalog.cachedModels()
  const names = models.filter((one) => catalog.accepts(one) && !one.isEmbedding).map(({ id }) => id)
  const [only] = names
  if (only === undefined || catalog.hasAliases(models)) return alias
  if (names.length === 1) return only
  const named = names.slice(0, maxNamed).map(sanitizeName).join(', ')
  throw new UsageError(`no model set (available: ${named}${names.length > maxNamed ? ', …' : ''})`, {
    hint: 'use -m NAME for one run, or syn config set model NAME for all',
  })
}

const maxNamed = 5
