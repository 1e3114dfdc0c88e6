/** Chooses the embedding model. Embeddings have no aliases (section 2.3). */

import { decodeModels, type Model } from '../api/models.ts'
import { advice, type Hint, syn, UsageError } from '../errors.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Json } from '../io/json/json.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from './catalog.ts'

interface EmbeddingModelContext {
  readonly settings: Settings
  readonly catalog: Catalog
}

/** The one that the service documents, but does not list, as of November 2026. */
export const documentedModel = 'hf:nomic-ai/nomic-embed-text-v1.5'

/** Models for embeddings may be missing in the list. @param use As the first word of a sentence or of the hint. */
export function nameEmbeddingModel(catalog: Catalog, use: 'Use' | 'use' = 'use'): Hint {
  const name = catalog.accepts({ id: '' }) ? 'NAME' : 'hf:NAME'
  return advice`${use} -m ${name} for one run, or ${syn(`config set embed-model ${name}`)} for all`
}

/**
 * Returns the request's model, or else that of the environment or profile, the only one that the service lists, or the documented
 * one.
 * @param given The request's model; a string, unless `--param` sets something else.
 * @throws UsageError if none is set and the list has several, or it is another service, and the list has none.
 */
export async function chooseEmbeddingModel(
  given: Json | undefined,
  { settings, catalog }: EmbeddingModelContext,
): Promise<Json> {
  const named = given ?? settings.get('embed-model')?.value
  if (named !== undefined) return named
  const models = catalog.mayFetch ? await fetchModels(catalog) : catalog.cachedModels()
  const names = models.filter((one) => one.isEmbedding && catalog.accepts(one)).map(({ id }) => id)
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  if (names.length > 1) {
    const list = names.map(sanitizeName).join(', ')
    throw new UsageError(`no embedding model set (available: ${list})`, { hint: nameEmbeddingModel(catalog) })
  }
  if (catalog.hasAliases(models)) return documentedModel
  throw new UsageError('no embedding model set, and no list names one', { hint: nameEmbeddingModel(catalog) })
}

async function fetchModels(catalog: Catalog): Promise<Model[]> {
  try {
    return decodeModels((await catalog.list()).json)
  } catch (error) {
    // Loaded here, as a request that is only printed needs no client.
    const { isMissingEndpoint } = await import('../api/failures.ts')
    if (!isMissingEndpoint(error)) throw error
    return []
  }
}

/**
 * What models want before the texts of a search, by their model cards. Their services add nothing: see
 * https://huggingface.co/nomic-ai/nomic-embed-text-v1.5 and https://huggingface.co/intfloat/e5-large-v2.
 */
const searchPrefixes = [
  { models: /\bnomic-embed-text/i, question: 'search_query: ', text: 'search_document: ' },
  { models: /\be5-(small|base|large)(?!-instruct)/i, question: 'query: ', text: 'passage: ' },
]

/** @returns what stands before the question and before each text that is searched; empty for most models. */
export function searchPrefixesOf(model: Json): { question: string; text: string } {
  return searchPrefixes.find(({ models }) => models.test(JSON.stringify(model))) ?? { question: '', text: '' }
}
