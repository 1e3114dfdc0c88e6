/** Hints for models that were rotated out: a pinned name then fails with 404 (sections 1 and 7). */

import { isMissingEndpoint, missingEndpoint } from '../api/failures.ts'
import { bareName, type Model } from '../api/models.ts'
import type { ModelOperation } from '../api/operations.ts'
import { StatusError, withHint } from '../errors.ts'
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

/** A request failed because its model was rotated out. */
export interface Rotation {
  readonly error: StatusError
  /** The other listed models that a request may name; empty if there is no list. */
  readonly models: readonly Model[]
  readonly hasAliases: boolean
}

/**
 * Finds out whether a request failed because its model was rotated out: if the reply is about a model, or the list does not
 * have it. A list may still name a model that the service no longer runs.
 * @throws the error if it has another cause. Without words about a model, a list with the model means a missing endpoint.
 */
export async function findRotation(error: unknown, model: Json, catalog: Catalog): Promise<Rotation> {
  if (!(error instanceof StatusError) || error.status !== 404 || isMissingEndpoint(error)) throw error
  // A cached list may be older than the rotation.
  const current = await catalog.modelsIfAvailable({ refresh: true })
  const isIt = ({ id }: Model): boolean => typeof model === 'string' && bareName(id) === bareName(model)
  if (current.some(isIt) && !isAboutModel(error, model)) throw missingEndpoint(error)
  const models = current.length > 0 ? current : catalog.cachedModels()
  const others = models.filter((one) => catalog.accepts(one) && !isIt(one))
  return { error, models: others, hasAliases: catalog.hasAliases(models) }
}

/** Whether the words of a reply name the model, or speak of one. */
function isAboutModel({ message }: StatusError, model: Json): boolean {
  return /\bmodel\b/i.test(message) || (typeof model === 'string' && message.includes(bareName(model)))
}

/** The error with a hint that names similar models and the alias. */
export function withModelHint(
  { error, models, hasAliases }: Rotation,
  operation: ModelOperation,
  body: JsonObject,
  aliasHint = useFallback,
): StatusError {
  const model = modelName(body.model ?? null)
  const alias = operation.alias(body)
  const ids = models.filter(({ isEmbedding }) => !isEmbedding).map(({ id }) => sanitizeName(id))
  const near = nearestOf(model, ids, maxNamed)
  const available = near.length > 0 ? `; available: ${near.join(', ')}` : ''
  const advice = model === alias || !hasAliases ? seeModels : aliasHint(alias)
  return withHint(error, `the model may have been rotated out${available}. ${advice}`)
}

/** The model's name; as JSON if `--param` set another type of value. */
export function modelName(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}
