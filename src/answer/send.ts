/**
 * Sends requests for answers to models. What the service refuses is sent once more: without the option that asks for the
 * usage, or to another model in place of one that is gone or overloaded.
 */

import { hasImages } from '../api/image.ts'
import type { StreamingOperation } from '../api/operations.ts'
import { isOverloaded } from '../api/retry-policy.ts'
import { CutShortError, NetworkError, StatusError, withAddedHint } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import type { Catalog } from '../models/catalog.ts'
import { withLargerModel } from '../models/choose.ts'
import type { ModelRequest } from '../models/rotation.ts'
import type { WaitAtLimit } from '../quota/wait-at-limit.ts'
import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'

/** The models to ask, in order, if one is gone or overloaded. `true`: the alias of the category. */
export type Fallback = boolean | readonly string[]

export interface AnswerSenderOptions {
  readonly catalog: Catalog
  readonly fallback: Fallback
  /** Sends again what is refused for a used-up quota, as `waitAtLimit` (default: no). */
  readonly wait?: WaitAtLimit | undefined
  /** Called once for each model that is replaced. */
  notify(text: string): Promise<void>
  /** Called with the model that is asked instead. */
  onFallback?(model: string): Promise<void>
}

interface AnswerRequest {
  readonly operation: StreamingOperation
  readonly body: JsonObject & { readonly model: Json }
  /** Whether the usage is asked for: many services send it only with `stream_options.include_usage`. */
  readonly needsUsage: boolean
  /** Whether the model stays as it is, as one that a row of a batch names. */
  readonly hasOwnModel?: boolean
  /** The answer: after a part of it, no other model is asked. */
  readonly answer: Pick<Answer, 'length'>
  /** Called before another model is asked. @throws if it may not be. */
  readonly onModel?: ((model: string) => void) | undefined
  /** Whether the caller sends the request again after this error of an overloaded model (default: no). */
  isSentAgain?(error: StatusError): boolean
}

/** Sends a body, and reads the answer. */
type ReadAnswer = (body: JsonObject) => Promise<void>

/** The models to ask, in order, in place of that of a request. */
export function modelsInstead(fallback: Fallback, request: ModelRequest, catalog: Catalog): string[] {
  const { operation, body, hasOwnModel } = request
  if (fallback === false || hasOwnModel || !operation.alias) return []
  if (fallback === true && !catalog.hasAliases(catalog.cachedModels())) return []
  const models = fallback === true ? [operation.alias(body, catalog.cachedModels())] : fallback
  return [...new Set(models)].filter((model) => model !== body.model)
}

/** @returns a function that sends the requests of a run, and remembers which models are gone. */
export function answerSender({ catalog, fallback, wait, notify, onFallback }: AnswerSenderOptions) {
  /** By operation and model that is gone. Requests in flight fail together: they share what is found out. */
  const instead = new Map<string, Promise<string>>()
  const noticed = new Set<Json>()

  const replace = async (
    { operation, body }: AnswerRequest,
    left: readonly string[],
    error: StatusError,
    rotation: typeof import('../models/rotation.ts') | false,
  ): Promise<string> => {
    const request = { operation, body, fallback: typeof fallback === 'boolean' ? fallback : left }
    const model = rotation ? await rotation.aliasInstead(error, request, catalog) : (left[0] as string)
    const replaced = typeof body.model === 'string' ? body.model : quote(body.model)
    const isNew = noticed.size < noticed.add(replaced).size
    if (isNew) await notify(`${error.message}; using ${model} instead of ${replaced}`)
    await onFallback?.(model)
    return model
  }

  /** Sends the request again without the added option if the service refuses that. */
  const sendWithUsage = async ({ operation, body, needsUsage }: AnswerRequest, read: ReadAnswer): Promise<void> => {
    const sent = needsUsage ? withUsageOption(operation, body, catalog) : body
    try {
      await read(sent)
    } catch (error) {
      if (sent === body || !isUsageRefusal(error)) throw error
      await read(body)
      // Success proves that the service refused the option.
      await catalog.rememberUsageOptionRefused(operation)
    }
  }

  /**
   * @param read Called again only if nothing of an answer has arrived.
   * @param left The models that may be asked after that of the request.
   * @returns the model that answered.
   * @throws what `read` throws for the last model, with a hint if it is gone, or perhaps.
   */
  return async function send(
    request: AnswerRequest,
    read: ReadAnswer,
    left: readonly string[] = modelsInstead(fallback, request, catalog),
  ): Promise<Json> {
    const { operation, body, hasOwnModel, answer } = request
    const key = `${operation.path} ${JSON.stringify(body.model)}`
    let other = hasOwnModel ? undefined : instead.get(key)
    try {
      if (!other) {
        const attempt = (): Promise<void> => sendWithUsage(request, read)
        await (wait ? wait(attempt, () => answer.length > 0) : attempt())
        return body.model
      }
    } catch (error) {
      // A second request would repeat what was shown.
      if (!(error instanceof StatusError) || answer.length > 0) throw error
      const rotation = await import('../models/rotation.ts')
      const isGone = !hasOwnModel && rotation.mayBeRotated(error)
      if (!isGone && (left.length === 0 || !isOverloaded(error) || request.isSentAgain?.(error))) {
        const isAboutImage = [400, 413, 415, 422].includes(error.status) && /image|pixel|vision/i.test(error.message)
        const earlier = Array.isArray(body.messages) ? body.messages.slice(0, -1) : []
        if (isAboutImage && hasImages({ messages: earlier }))
          throw withAddedHint(error, { code: 'earlier images', isOnlyWay: true })
        if (error.isTooLong) throw await withLargerModel(error, body, catalog)
        throw await (await import('../models/efforts.ts')).withEffortHint(error, body, catalog)
      }
      other = instead.get(key) ?? replace(request, left, error, isGone && rotation)
      if (isGone) instead.set(key, other)
    }
    const model = await other
    request.onModel?.(model)
    return send({ ...request, body: { ...body, model } }, read, left.slice(left.indexOf(model) + 1))
  }
}

/**
 * Takes an answer as it arrives.
 * @param to Where each read goes, in this order. It is recorded before it is shown.
 * @throws what the reads throw; CutShortError if the service or the connection fails after more than reasoning.
 */
export async function receive(
  reads: AsyncIterable<readonly Delta[]>,
  to: {
    readonly record?: ((deltas: readonly Delta[]) => Promise<void>) | undefined
    readonly answer: Answer
    readonly show?: (deltas: readonly Delta[]) => Promise<void>
    /** Forgets the answer, if it can: after a part, the service began another one. */
    readonly restart?: (() => Promise<void>) | undefined
  },
): Promise<void> {
  try {
    for await (const read of reads) {
      const restart = read.findIndex(({ type }) => type === 'restart')
      const parts = restart > 0 ? [read.slice(0, restart), read.slice(restart)] : [read]
      for (const deltas of parts) {
        if (to.answer.hasAnswer && deltas[0]?.type === 'restart') {
          if (!to.restart) throw new NetworkError('the service started another answer')
          await to.restart()
        }
        await to.record?.(deltas)
        to.answer.add(deltas)
        await to.show?.(deltas)
        // What has arrived is recorded and shown, also if it is too much.
        to.answer.checkSize()
      }
    }
  } catch (error) {
    if (!to.answer.hasAnswer || !(error instanceof NetworkError || error instanceof StatusError)) throw error
    throw new CutShortError(`the answer was cut short: ${error.message}`, { hint: error.hint, cause: error })
  }
}

/** Adds the option, unless the request has `stream_options` of its own or the service is known to refuse it. */
export function withUsageOption(operation: StreamingOperation, body: JsonObject, catalog: Catalog): JsonObject {
  const mayHaveIt = Object.hasOwn(operation.fields, 'stream_options') && body.stream === true
  if (!mayHaveIt || body.stream_options !== undefined || catalog.refusesUsageOption(operation)) return body
  return { ...body, stream_options: { include_usage: true } }
}

function isUsageRefusal(error: unknown): boolean {
  const isStatus = error instanceof StatusError && (error.status === 400 || error.status === 422)
  return isStatus && /stream_options|include_usage/.test(error.message)
}
