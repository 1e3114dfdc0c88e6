/** Which model a request asks. */

import type { Model } from '../api/models.ts'
import type { ModelledOperation } from '../api/operations.ts'
import { StatusError, UsageError, withHint } from '../errors.ts'
import { modelAliases } from '../fields/kinds.ts'
import { nearestOf, suggestion } from '../fields/nearest.ts'
import { harmlessName } from '../io/harmless.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalogue } from './catalogue.ts'
import { isModelGone } from './rotation.ts'

/**
 * The model to ask: the request's own, else the one of the environment, of the conversation, of the profile, or else the
 * operation's alias for such a request. Says so when the name is not known.
 * @param body The request so far.
 * @param lastModel The model that answered last in the conversation. The default alias does not bind: what comes
 *   may hold the first picture.
 * @returns what is sent: no text, where `--param` put something else there.
 */
export async function chooseModel(
  operation: ModelledOperation,
  body: JsonObject,
  { settings, notices }: { settings: Settings; notices: Pick<Notices, 'say'> },
  lastModel?: string,
): Promise<Json> {
  const set = settings.get('model')
  const ofThisRun = set?.source.startsWith('environment') ? set.value : undefined
  const carried = lastModel === operation.alias({}) ? operation.alias(body) : lastModel
  const model = body.model ?? ofThisRun ?? carried ?? set?.value ?? operation.alias(body)
  const notice = typeof model === 'string' ? modelNotice(model) : undefined
  if (notice) await notices.say(notice)
  return model
}

/** What to say of a model name that is acceptable but unknown; nothing for the others. */
function modelNotice(name: string): string | undefined {
  if (!name.startsWith('syn:') || (modelAliases as readonly string[]).includes(name)) return undefined
  return `${name} is not an alias known here${suggestion(name, modelAliases)}; sending it as it is`
}

interface Deps {
  readonly settings: Settings
  readonly catalogue: Catalogue
}

const waysToName = '-m hf:NAME names it for one run, syn config set embed-model hf:NAME for all'

/**
 * The model that embeds; embeddings have no aliases (section 2.3).
 * The request's own, else the one of environment or profile, else the only one that the service lists.
 * @param given The request's, as far as it has one; no text, where `--param` put something else there.
 * @param isAsked Whether the service may be asked for its list; else what is remembered of it must do.
 * @throws UsageError when none is named and the list doesn't tell.
 */
export async function chooseEmbeddingModel(
  given: Json | undefined,
  isAsked: boolean,
  { settings, catalogue }: Deps,
): Promise<Json> {
  const named = given ?? settings.get('embed-model')?.value
  if (named !== undefined) return named
  const names = embeddingNames(await (isAsked ? listedModels(catalogue) : catalogue.remembered()))
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  if (names.length > 1) {
    const list = names.map(harmlessName).join(', ')
    throw new UsageError(`no embedding model is named, and several are listed: ${list}`, { hint: waysToName })
  }
  const reason = isAsked ? 'the service lists none' : 'no list of models is remembered'
  throw new UsageError(`no embedding model is named, and ${reason}`, { hint: waysToName })
}

/** Adds to a failure what to ask instead, where it was the model that was not found. */
export async function adviseOnEmbeddingModel(error: unknown, model: Json, catalogue: Catalogue): Promise<unknown> {
  if (!isModelGone(error)) return error
  const names = embeddingNames(await catalogue.modelsAside()).filter((name) => name !== model)
  const near = typeof model === 'string' ? nearestOf(model, names, names.length) : []
  const sorted = [...new Set([...near, ...names])].map(harmlessName)
  const advice =
    sorted.length > 0 ? `embedding models listed are ${sorted.join(', ')}` : 'syn models lists what there is'
  return withHint(error, `the model may have been rotated out; ${advice}`)
}

async function listedModels(catalogue: Catalogue): Promise<Model[]> {
  try {
    return await catalogue.models()
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 404) throw error
    throw withHint(error, `no embedding model is named, and there is no list of models to find one in; ${waysToName}`)
  }
}

function embeddingNames(list: readonly Model[]): string[] {
  return list.filter(({ id, isEmbedding }) => isEmbedding && id.startsWith('hf:')).map(({ id }) => id)
}
