/** Hints for models that were rotated out: a pinned name then fails with 404 (sections 1 and 7). */

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

/** Adds a hint with similar models and the alias to an error if the model was not found. */
export async function withModelHint(
  error: unknown,
  operation: ModelOperation,
  body: JsonObject,
  catalog: Catalog,
  aliasHint = useFallback,
): Promise<unknown> {
  if (!isModelNotFound(error)) return error
  const model = modelName(body.model ?? null)
  const alias = operation.alias(body)
  const list = await catalog.modelsIfAvailable()
  const ids = list
    .filter(({ id, isEmbedding }) => id.startsWith('hf:') && !isEmbedding)
    .map(({ id }) => sanitizeName(id))
  const near = nearestOf(model, ids, maxNamed)
  const available = near.length > 0 ? `; available: ${near.join(', ')}` : ''
  const advice = model === alias ? seeModels : aliasHint(alias)
  return withHint(error, `the model may have been rotated out${available}. ${advice}`)
}

/** The model's name; as JSON if `--param` set another type of value. */
export function modelName(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}

/** Whether a request failed because its model was not found. */
export function isModelNotFound(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && !error.isRouteUnknown
}
