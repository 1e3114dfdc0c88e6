/** Chooses the model that answers, and the one that a part of a name means. */

import { hasImages, withoutResultImages } from '../api/image.ts'
import { contextLengthOf, defaultAlias, isAlias, type Model, priceNamed, refusesImages } from '../api/models.ts'
import type { ModelOperation } from '../api/operations.ts'
import { advice, type Hint, type StatusError, syn, UsageError, withHint } from '../errors.ts'
import type { Field } from '../fields/field.ts'
import { modelAliases } from '../fields/model-facts.ts'
import { suggestion } from '../fields/suggestion.ts'
import type { Io } from '../io/io.ts'
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
  const model =
    body.model ??
    fromEnvironment ??
    (lastModel === defaultAlias ? await aliasOf(operation, body, catalog) : lastModel) ??
    setting?.value ??
    (await defaultModel(operation, body, catalog))
  if (typeof model === 'string' && model.startsWith('syn:') && !(modelAliases as readonly string[]).includes(model)) {
    await notices.info(`unknown alias ${JSON.stringify(model)}${suggestion(model, modelAliases)}; sending it anyway`)
  }
  return model
}

async function aliasOf(operation: ModelOperation, body: JsonObject, catalog: Catalog): Promise<string> {
  return operation.alias(body, hasImages(body) ? await catalog.availableModels() : [])
}

/**
 * The alias for the request. Of a service that has no aliases, as the setting `any-model` says, the only model.
 * @throws UsageError if it has several.
 */
async function defaultModel(operation: ModelOperation, body: JsonObject, catalog: Catalog): Promise<string> {
  if (catalog.hasAliases([])) return aliasOf(operation, body, catalog)
  const models = await catalog.availableModels()
  const names = models.filter((one) => catalog.accepts(one) && !one.isEmbedding).map(({ id }) => id)
  const [only] = names
  if (only === undefined || catalog.hasAliases(models)) return operation.alias(body, models)
  if (names.length === 1) return only
  const named = names.slice(0, maxNamed).map(sanitizeName).join(', ')
  throw new UsageError(`no model set (available: ${named}${names.length > maxNamed ? ', …' : ''})`, {
    hint: advice`use -m NAME for one run, or ${syn('config set model NAME')} for all`,
  })
}

const maxNamed = 5

/** The request, without images of results if the list says that its model takes none. */
export function fitImages<Body extends JsonObject>(body: Body, catalog: Catalog): Body {
  const isRefused = typeof body.model === 'string' && refusesImages(catalog.cachedModels(), body.model)
  return isRefused && hasImages(body) ? withoutResultImages(body) : body
}

/**
 * A list that says so is asked for again once, as it may be older than the model.
 * @throws UsageError if the request has images, which may be those of earlier messages, and its model takes none.
 */
export async function checkImages(operation: ModelOperation, body: JsonObject, catalog: Catalog): Promise<void> {
  const { model } = body
  if (!hasImages(body) || typeof model !== 'string') return
  const stored = catalog.cachedModels()
  if (!refusesImages(stored, model)) return
  const list = catalog.mayFetch ? await catalog.modelsIfAvailable({ refresh: true }) : stored
  if (!refusesImages(list, model)) return
  const other: Hint = { code: 'use model', model: operation.alias(body, list), hasFallback: false }
  const use: Hint = catalog.hasAliases(list) ? other : { code: 'list models' }
  throw new UsageError(`${sanitizeName(model)} takes no images, and the request has some`, {
    hint: [
      advice`each request has the images of the whole conversation. ${use}`,
      { code: 'earlier images', isOnlyWay: false },
    ],
  })
}

/** @returns the error of a request that is too long, with the cheapest model of the list whose context window takes it, if any. */
export async function withLargerModel(error: StatusError, body: JsonObject, catalog: Catalog): Promise<StatusError> {
  const list = await catalog.modelsIfAvailable()
  const { PromptEstimator } = await import('./token-estimate.ts')
  const lengthOf = (name: Json = null): number => contextLengthOf(list, typeof name === 'string' ? name : '') ?? 0
  const needed = Math.max(new PromptEstimator().tokensOf(body), lengthOf(body.model))
  const mayTake = (one: Model): boolean => !one.isEmbedding && !(hasImages(body) && refusesImages(list, one.id))
  const priceOf = ({ id }: Model): number => priceNamed(list, [id])?.prompt ?? Infinity
  const [other] = list
    .filter((one) => (isAlias(one) || catalog.accepts(one)) && mayTake(one) && lengthOf(one.id) > needed)
    .toSorted((one, next) => priceOf(one) - priceOf(next))
  if (!other || error.hint === undefined) return error
  return withHint(error, advice`${error.hint}. ${{ code: 'use model', model: other.id, hasFallback: false }}`)
}

/**
 * The only model of the list that a typed name is a part of, or else the name itself.
 * @param where For errors. @param spec The model field's's. @param isSandbox Whether the list is always asked for: that of a service
 *   only if none is cached, and the name would be refused.
 * @throws UsageError if there are several, or nobody would see which one was taken.
 */
export async function resolveModelName(
  name: string,
  where: string,
  spec: Field | undefined,
  isSandbox: boolean,
  { catalog, notices, io }: { catalog: Catalog; notices: Notices; io: Io },
): Promise<string> {
  if (spec?.kind !== 'model' || name.startsWith('syn:')) return name
  const cached = catalog.cachedModels()
  const needsList = isSandbox || (cached.length === 0 && name.trim() !== '' && !catalog.accepts({ id: name }))
  const list = needsList && catalog.mayFetch ? await catalog.modelsIfAvailable() : cached
  if (list.length === 0) return name
  const { matchModel, partialNameError } = await import('./lookup.ts')
  const meant = matchModel(name, list, { where, catalog, isEmbedding: spec.aliases === false })
  if (meant === undefined) return name
  if (!io.err.isTerminal) throw partialNameError(name, meant, where)
  await notices.info(`using ${meant}`)
  return meant
}
