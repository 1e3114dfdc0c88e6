/** Which model embeds, and what to say when it is not there. Embeddings have no aliases (section 2.3). */

import type { Model } from '../api/models.ts'
import { StatusError, UsageError, withHint } from '../errors.ts'
import { nearestOf } from '../fields/nearest.ts'
import { sanitizeName } from '../io/sanitize.ts'
import type { Json } from '../io/json.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from './catalog.ts'
import { isModelNotFound } from './rotation.ts'

interface Deps {
  readonly settings: Settings
  readonly catalog: Catalog
}

const waysToName = '-m hf:NAME names it for one run, syn config set embed-model hf:NAME for all'

/**
 * The request's own, else the one of environment or profile, else the only one that the service lists.
 * @param given The request's, as far as it has one; no text, where `--param` put something else there.
 * @param isAsked Whether the service may be asked for its list; else what is remembered of it must do.
 * @throws UsageError when none is named and the list doesn't tell.
 */
export async function chooseEmbeddingModel(
  given: Json | undefined,
  isAsked: boolean,
  { settings, catalog }: Deps,
): Promise<Json> {
  const named = given ?? settings.get('embed-model')?.value
  if (named !== undefined) return named
  const names = embeddingNames(await (isAsked ? listedModels(catalog) : catalog.cachedModels()))
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  if (names.length > 1) {
    const list = names.map(sanitizeName).join(', ')
    throw new UsageError(`no embedding model is named, and several are listed: ${list}`, { hint: waysToName })
  }
  const reason = isAsked ? 'the service lists none' : 'no list of models is remembered'
  throw new UsageError(`no embedding model is named, and ${reason}`, { hint: waysToName })
}

/** Adds to a failure what to ask instead, where it was the model that was not found. */
export async function adviseOnEmbeddingModel(error: unknown, model: Json, catalog: Catalog): Promise<unknown> {
  if (!isModelNotFound(error)) return error
  const names = embeddingNames(await catalog.modelsIfAvailable()).filter((name) => name !== model)
  const near = typeof model === 'string' ? nearestOf(model, names, names.length) : []
  const sorted = [...new Set([...near, ...names])].map(sanitizeName)
  const advice =
    sorted.length > 0 ? `embedding models listed are ${sorted.join(', ')}` : 'syn models lists what there is'
  return withHint(error, `the model may have been rotated out; ${advice}`)
}

async function listedModels(catalog: Catalog): Promise<Model[]> {
  try {
    return await catalog.models()
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 404) throw error
    throw withHint(error, `no embedding model is named, and there is no list of models to find one in; ${waysToName}`)
  }
}

function embeddingNames(list: readonly Model[]): string[] {
  return list.filter(({ id, isEmbedding }) => isEmbedding && id.startsWith('hf:')).map(({ id }) => id)
}
