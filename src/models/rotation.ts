/** Hints for models that were rotated out: a pinned name then fails with 404 (sections 1 and 7). */

import { missingEndpoint } from '../api/failures.ts'
import { bareName, isAlias, type Model } from '../api/models.ts'
import type { ModelOperation } from '../api/operations.ts'
import { checkBaseUrl, StatusError, withHint } from '../errors.ts'
import { quote, type Json, type JsonObject } from '../io/json.ts'
import { nearestOf } from '../fields/nearest.ts'
import { sanitizeName } from '../io/safe-text.ts'
import type { Catalog } from './catalog.ts'

/** A sentence that says how to use an alias instead. */
export type AliasHint = (alias: string) => string

const maxNamed = 3

export const seeModels = 'Use syn models to list the available models'

/** For commands with --fallback. */
const useFallback: AliasHint = (alias) => `Use -m ${alias}, or --fallback to switch automatically`

/** A request failed because its model was rotated out, or perhaps. */
export interface Rotation {
  readonly error: StatusError
  /** Whether neither the reply nor the list says so: then the endpoint may be missing as well. */
  readonly isUnsure: boolean
  /** The other listed models that a request may name; empty if there is no list. */
  readonly models: readonly Model[]
  /** Names that only the setting `any-model` accepts. */
  readonly unaccepted: readonly string[]
  readonly hasAliases: boolean
  readonly hasList: boolean
  /** Whether the list has the model all the same. */
  readonly isListed: boolean
}

/**
 * Finds out whether a request failed because its model was rotated out: if the reply is about a model, or the list does not
 * have it. A list may still name a model that the service no longer runs.
 * @throws the error if it has another cause. A reply that says nothing, with a list that has the model, means a missing
 *   endpoint.
 */
export async function findRotation(error: unknown, model: Json, catalog: Catalog): Promise<Rotation> {
  if (!(error instanceof StatusError) || !mayBeRotated(error)) throw error
  // A cached list may be older than the rotation.
  const current = await catalog.modelsIfAvailable({ refresh: true })
  const models = current.length > 0 ? current : catalog.cachedModels()
  const isIt = ({ id }: Model): boolean => typeof model === 'string' && bareName(id) === bareName(model)
  const isListed = models.some(isIt)
  if (error.missing === 'unsaid' && isListed) throw missingEndpoint(error)
  // Aliases need not be in the list.
  const isGone = models.length > 0 && !isListed && !(typeof model === 'string' && isAlias({ id: model }))
  const others = models.filter((one) => catalog.accepts(one) && !isIt(one))
  return {
    error,
    isUnsure: error.missing !== 'model' && !isGone,
    models: others,
    unaccepted: models.filter((one) => !isAlias(one) && !catalog.accepts(one)).map(({ id }) => sanitizeName(id)),
    hasAliases: catalog.hasAliases(models),
    hasList: models.length > 0,
    isListed,
  }
}

/** Whether the reply is about the model, or does not say what it is about. */
export function mayBeRotated({ status, missing }: StatusError): boolean {
  return missing === undefined ? status === 404 : missing === 'model' || missing === 'unsaid'
}

/** The alias to ask instead, if that is wanted and may help. */
export function fallbackFor(rotation: Rotation, operation: ModelOperation, body: JsonObject): string | undefined {
  const alias = operation.alias(body)
  return rotation.isUnsure || body.model === alias || !rotation.hasAliases ? undefined : alias
}

/** The error with a hint that names similar models and the alias. */
export function withModelHint(
  rotation: Rotation,
  operation: ModelOperation,
  body: JsonObject,
  aliasHint = useFallback,
): StatusError {
  const { error, models, isUnsure, unaccepted, hasAliases } = rotation
  const model = modelName(body.model ?? null)
  if (!hasAliases && unaccepted.length > 0) {
    const names = [...new Set([...nearestOf(model, unaccepted, maxNamed), ...unaccepted])].slice(0, maxNamed).join(', ')
    return withHint(error, `the service has other models: ${names}. Use syn config set any-model true to accept them`)
  }
  if (isUnsure) return withUnsureHint(rotation, model)
  const alias = fallbackFor(rotation, operation, body)
  const ids = models.filter(({ isEmbedding }) => !isEmbedding).map(({ id }) => sanitizeName(id))
  const near = nearestOf(model, ids, maxNamed)
  const available = near.length > 0 ? `; available: ${near.join(', ')}` : ''
  return withHint(
    error,
    `${reasonOf(rotation, model)}${available}. ${alias === undefined ? seeModels : aliasHint(alias)}`,
  )
}

/** Why the model is missing. A service that is not the one of the specification says so with another status than 404. */
export function reasonOf({ isListed, error: { status } }: Rotation, model: string): string {
  if (isListed) return `the service lists ${sanitizeName(model)}, but does not serve it now, or not with this key`
  return status === 404 || status === 410
    ? 'the model may have been rotated out'
    : 'the service does not have the model'
}

/** The error with a hint that names both possibilities. */
export function withUnsureHint({ error, hasList }: Rotation, model: string): StatusError {
  const { endpoint } = error
  const either = `the service may not have the endpoint ${endpoint}, or not the model ${sanitizeName(model)}`
  return withHint(error, `${either}${hasList ? `. ${seeModels}` : ''}; ${checkBaseUrl}`)
}

/** The model's name; as JSON if `--param` set another type of value. */
export function modelName(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}
