/** Counts tokens: with another model where the requested one cannot, as is known of models behind aliases of the service. */

import { countTokens, sendCount, type TokenCount } from '../api/messages/count.ts'
import { hasImages } from '../api/image.ts'
import { isAlias, type Model, refusesImages, targetOf } from '../api/models.ts'
import type { Sender } from '../api/operations.ts'
import { StatusError, withAddedHint } from '../errors.ts'
import { modelAliases } from '../fields/model-facts.ts'
import type { JsonObject } from '../io/json/json.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Notices } from '../notices.ts'
import type { Catalog } from './catalog.ts'
import { modelName, withModelHint } from './rotation.ts'

interface CountingContext {
  readonly client: Sender
  readonly catalog: Catalog
  readonly notices: Pick<Notices, 'warn'>
}

const maxOthers = 3

/**
 * @param fallback As the value of --fallback. Without, other models count for an alias only. @param isGate Not for an alias either.
 * @returns the count. Warns if it is of another model.
 * @throws StatusError, NetworkError
 */
export async function countWithAny(
  body: JsonObject,
  { fallback, isGate = false }: { fallback: boolean | readonly string[]; isGate?: boolean },
  context: CountingContext,
): Promise<TokenCount> {
  const { client, catalog, notices } = context
  const name = modelName(body.model ?? null)
  const mayAskOthers = fallback !== false || (isAlias({ id: name }) && !isGate)
  let list = catalog.cachedModels()
  const countWith = async (other: string): Promise<TokenCount | undefined> => {
    const count = await sendCount({ ...body, model: other }, client).catch(refused)
    const [counting, unable] = [other, name].map((one) => sanitizeName(targetOf(list, one)))
    if (count) await notices.warn(`counted with ${counting}: ${unable} cannot count`)
    return count
  }
  try {
    return await sendCount(body, client)
  } catch (error) {
    const failure = await withModelHint(error, { operation: countTokens, body }, catalog)
    if (!(failure instanceof StatusError) || failure.status !== countTokens.finalStatus) throw failure
    if (!mayAskOthers) throw withAddedHint(failure, '--fallback takes the count of another model')
    list = await catalog.availableModels()
    const others = Array.isArray(fallback) ? (fallback as string[]) : otherAliases(list, name, body, catalog)
    for (const other of others.slice(0, maxOthers)) {
      const count = await countWith(other)
      if (count) return count
    }
    throw failure
  }
}

/** Another model may answer. */
function refused(error: unknown): undefined {
  if (!(error instanceof StatusError)) throw error
}

/** The aliases of other models that take the request, one for each model. */
function otherAliases(list: readonly Model[], name: string, body: JsonObject, catalog: Catalog): string[] {
  if (!catalog.hasAliases(list)) return []
  const byModel = new Map<string, string>()
  for (const alias of modelAliases) if (mayTake(list, alias, body)) byModel.set(targetOf(list, alias), alias)
  byModel.delete(targetOf(list, name))
  return [...byModel.values()]
}

function mayTake(list: readonly Model[], name: string, body: JsonObject): boolean {
  return !hasImages(body) || !refusesImages(list, name)
}
