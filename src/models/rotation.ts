/** Models rotate: a pinned name that was rotated out fails with 404 (sections 1 and 7). What to say then, and to do. */

import type { ModelledOperation, StreamingOperation } from '../api/operation.ts'
import { StatusError, withHint } from '../errors.ts'
import { quote, type JsonObject } from '../io/json.ts'
import { nearestOf } from '../fields/nearest.ts'
import { harmlessName } from '../io/harmless.ts'
import type { Notices } from '../notices.ts'
import type { Delta } from '../stream/delta.ts'
import type { Catalogue } from './catalogue.ts'

export interface Surroundings {
  readonly client: {
    stream(operation: StreamingOperation, body: JsonObject, options: StreamOptions): AsyncIterable<Delta[]>
  }
  readonly catalogue: Catalogue
  readonly notices: Notices
}

interface StreamOptions {
  readonly withChunks: boolean
  readonly signal?: AbortSignal | undefined
}

/** What to do when the model is gone. */
interface Fallback {
  /** Whether its category's alias is asked. */
  readonly fallback: boolean
  /** How the person asks the alias; the flags unless told otherwise. */
  readonly advice?: ((alias: string) => string) | undefined
  /** Told of the alias that is asked instead. */
  readonly onFallback?: ((alias: string) => void) | undefined
}

const mostNamed = 3

const shortAdvice = (alias: string): string => `-m ${alias} stays current`
const flagAdvice = (alias: string): string => `${shortAdvice(alias)}, --fallback asks it by itself`

/**
 * The deltas of an answer. When the model is gone, the failure names what to ask instead; with `fallback` the alias is
 * asked, once, and that is said.
 */
export async function* streamCurrent(
  operation: StreamingOperation,
  body: JsonObject,
  options: StreamOptions,
  { client, catalogue, notices, fallback, advice = flagAdvice, onFallback }: Surroundings & Fallback,
): AsyncGenerator<Delta[], void, undefined> {
  try {
    // Nothing is yielded before a status is known.
    return yield* client.stream(operation, body, options)
  } catch (error) {
    if (!isModelGone(error)) throw error
    const alias = operation.alias(body)
    if (!fallback || body.model === alias) throw await withAdvice(error, operation, body, catalogue, advice)
    await notices.say(`${error.message}; asking ${alias} instead of ${nameOf(body)}`)
    onFallback?.(alias)
  }
  yield* client.stream(operation, { ...body, model: operation.alias(body) }, options)
}

/** @returns the failure of an unstreamed request, with what to ask instead where its model was not found. */
export async function adviseOnModel(
  error: unknown,
  operation: ModelledOperation,
  body: JsonObject,
  catalogue: Catalogue,
): Promise<unknown> {
  return isModelGone(error) ? withAdvice(error, operation, body, catalogue, shortAdvice) : error
}

function nameOf({ model }: JsonObject): string {
  return typeof model === 'string' ? model : quote(model)
}

/** Whether a request failed for want of its model. */
export function isModelGone(error: unknown): error is StatusError {
  return error instanceof StatusError && error.status === 404 && !error.isRouteUnknown
}

async function withAdvice(
  error: StatusError,
  operation: ModelledOperation,
  body: JsonObject,
  catalogue: Catalogue,
  advise: (alias: string) => string,
): Promise<StatusError> {
  const model = nameOf(body)
  const alias = operation.alias(body)
  const list = await catalogue.modelsAside()
  const ids = list
    .filter(({ id, isEmbedding }) => id.startsWith('hf:') && !isEmbedding)
    .map(({ id }) => harmlessName(id))
  const near = nearestOf(model, ids, mostNamed)
  const named = near.length > 0 ? `; listed are ${near.join(', ')}` : ''
  const advice = model === alias ? 'syn models lists what there is' : advise(alias)
  return withHint(error, `the model may have been rotated out${named}; ${advice}`)
}
