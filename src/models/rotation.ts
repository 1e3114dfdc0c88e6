/** Models rotate: a pinned name that was rotated out fails with 404 (sections 1 and 7). What to say then. */

import type { ModelOperation } from '../api/operations.ts'
import { StatusError, withHint } from '../errors.ts'
import { quote, type Json, type JsonObject } from '../io/json.ts'
import { nearestOf } from '../fields/nearest.ts'
import { sanitizeName } from '../io/sanitize.ts'
import type { Catalog } from './catalog.ts'

/** How a person asks the alias instead. */
export type Advise = (alias: string) => string

const mostNamed = 3

/** For what has a flag of that name: --fallback. */
const withFallbackFlag: Advise = (alias) => `-m ${alias} stays current, --fallback asks it by itself`

/** @returns the failure of a request, with what to ask instead where its model was not found. */
export async function adviseOnModel(
  error: unknown,
  operation: ModelOperation,
  body: JsonObject,
  catalog: Catalog,
  advise = withFallbackFlag,
): Promise<unknown> {
  if (!isModelGone(error)) return error
  const model = modelName(body.model ?? null)
  const alias = operation.alias(body)
  const list = await catalog.modelsIfAvailable()
  const ids = list
    .filter(({ id, isEmbedding }) => id.startsWith('hf:') && !isEmbedding)
    .map(({ id }) => sanitizeName(id))
  const near = nearestOf(model, ids, mostNamed)
  const named = near.length > 0 ? `; listed are ${near.join(', ')}` : ''
  const advice = model === alias ? 'syn models lists what there is' : advise(alias)
  return withHint(error, `the model may have been rotated out${named}; ${advice}`)
}

/** How a model is called; where `--param` put something else there, as JSON. */
export function modelName(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}

/** Whether a request failed for want of its model. */
export function isModelGone(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && !error.isRouteUnknown
}
