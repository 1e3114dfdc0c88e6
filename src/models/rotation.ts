/** Hints for models that were rotated out: a pinned name then fails with 404 (sections 1 and 7). */

import { missingEndpoint } from '../api/failures.ts'
import { bareName, isAlias, type Model } from '../api/models.ts'
import type { ModelOperation, Operation } from '../api/operations.ts'
import { advice, checkBaseUrl, type Hint, StatusError, syn, withHint } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { closestOf } from '../fields/suggestion.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Catalog } from './catalog.ts'
import { nameEmbeddingModel } from './embedding-model.ts'

const maxNamed = 3

const listModels: Hint = { code: 'list models' }

export interface ModelRequest {
  /** Embeddings have no aliases (section 2.3). */
  readonly operation: Operation & Partial<Pick<ModelOperation, 'alias'>>
  readonly body: JsonObject
  readonly hasOwnModel?: boolean
}

/** Whether the reply is about the model, or does not say what it is about. */
export function mayBeRotated({ status, missing }: StatusError): boolean {
  return missing === undefined ? status === 404 : missing === 'model' || missing === 'unspecified'
}

/** @returns the error, with a hint that names other models if the service may not have the one of the request. */
export async function withModelHint(error: unknown, request: ModelRequest, catalog: Catalog): Promise<unknown> {
  if (!(error instanceof StatusError) || !mayBeRotated(error)) return error
  return aliasInstead(error, request, catalog).catch((hinted: unknown) => hinted)
}

/**
 * Finds out whether a request failed because its model was rotated out: if the reply is about a model, or the list does not
 * have it. A list may still name a model that the service no longer runs.
 * @param error One that `mayBeRotated`.
 * @param request `fallback`: whether the alias may be asked, or the models that are left; absent if the command has no such
 *   option.
 * @returns the alias, or the first of these models, to ask in place of the model.
 * @throws the error, if there is none, or it would not help: with a hint, unless the endpoint is missing.
 */
export async function aliasInstead(
  error: StatusError,
  { operation, body, fallback }: ModelRequest & { readonly fallback?: boolean | readonly string[] },
  catalog: Catalog,
): Promise<string> {
  const { model = null } = body
  const name = modelName(model)
  // A cached list may be older than the rotation.
  const current = await catalog.modelsIfAvailable({ refresh: true })
  const models = current.length > 0 ? current : catalog.cachedModels()
  const isRequested = ({ id }: Model): boolean => typeof model === 'string' && bareName(id) === bareName(model)
  const isListed = models.some(isRequested)
  if (error.missing === 'unspecified' && isListed) throw missingEndpoint(error)
  // Aliases need not be in the list.
  const isMissingFromList = models.length > 0 && !isListed && !(typeof model === 'string' && isAlias({ id: model }))
  // Otherwise neither the reply nor the list says so: the endpoint may be missing as well.
  const isModelMissing = error.missing === 'model' || isMissingFromList
  const hasAliases = operation.alias !== undefined && catalog.hasAliases(models)
  const alias = isModelMissing && hasAliases ? operation.alias?.(body, models) : undefined
  const isOtherAlias = alias !== undefined && alias !== model
  if (fallback === true && isOtherAlias) return alias
  if (Array.isArray(fallback) && fallback.length > 0 && isModelMissing) return fallback[0] as string
  const unaccepted = namesOf(models.filter((one) => !isAlias(one) && !catalog.accepts(one)))
  if (operation.alias && !hasAliases && unaccepted.length > 0) {
    const names = nearestFirst(name, unaccepted).slice(0, maxNamed).join(', ')
    throw withHint(
      error,
      advice`the service has other models: ${names}. Use ${syn('config set any-model true')} to accept them`,
    )
  }
  const another: Hint = operation.alias ? listModels : nameEmbeddingModel(catalog, 'Use')
  if (!isModelMissing) {
    const either = `the service may not have the endpoint ${error.endpoint}, or not the model ${sanitizeName(name)}`
    const hasNext = models.length > 0 || !operation.alias
    throw withHint(error, [hasNext ? advice`${either}. ${another}` : either, checkBaseUrl])
  }
  const others = models.filter(
    (one) => catalog.accepts(one) && !isRequested(one) && one.isEmbedding === !operation.alias,
  )
  const near = operation.alias ? closestOf(name, namesOf(others), maxNamed) : nearestFirst(name, namesOf(others))
  const available = near.length > 0 ? `; available: ${near.join(', ')}` : ''
  const namesSuffice = !operation.alias && near.length > 0
  const reason = `${missingReason(error, name, isListed)}${available}`
  const next: Hint = isOtherAlias ? { code: 'use model', model: alias, hasFallback: fallback === false } : another
  throw withHint(error, namesSuffice && !isOtherAlias ? reason : advice`${reason}. ${next}`)
}

function namesOf(models: readonly Model[]): string[] {
  return models.map(({ id }) => sanitizeName(id))
}

function nearestFirst(name: string, names: readonly string[]): string[] {
  return [...new Set([...closestOf(name, names, names.length), ...names])]
}

/** Why the model is missing. A service that is not the one of the specification says so with another status than 404. */
function missingReason({ status }: StatusError, model: string, isListed: boolean): string {
  if (isListed) return `the service lists ${sanitizeName(model)}, but does not serve it now, or not with this key`
  return status === 404 || status === 410
    ? 'the model may have been rotated out'
    : 'the service does not have the model'
}

/** The model's name; as JSON if `--param` set another type of value. */
export function modelName(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}
