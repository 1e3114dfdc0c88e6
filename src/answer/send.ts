/**
 * Sends requests for answers to models. What the service refuses is sent once more: without the option that asks for the
 * usage, or to the alias in place of a model that is gone.
 */

import type { StreamingOperation } from '../api/operations.ts'
import { cutShort, NetworkError, StatusError } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { Catalog } from '../models/catalog.ts'
import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'

export interface AnswerSenderOptions {
  readonly catalog: Catalog
  /** Whether to ask the alias of the category if a model is gone. */
  readonly fallback: boolean
  /** Called once for each model that is replaced. */
  notify(text: string): Promise<void>
  /** Called with the alias that is asked instead. */
  onFallback?(alias: string): Promise<void>
}

interface AnswerRequest {
  readonly operation: StreamingOperation
  readonly body: JsonObject & { readonly model: Json }
  /** Whether the usage is asked for: many services send it only with `stream_options.include_usage`. */
  readonly needsUsage: boolean
  /** Whether the model stays as it is, as one that a row of a batch names. */
  readonly keepsModel?: boolean
}

/** Remembers which models are gone, for the requests of a run. */
export class AnswerSender {
  readonly #options: AnswerSenderOptions
  /** By operation and model. Requests in flight fail together: they share what is found out. */
  readonly #aliases = new Map<string, Promise<string>>()

  constructor(options: AnswerSenderOptions) {
    this.#options = options
  }

  /**
   * @param read Sends a body, and reads the answer. Called again only if nothing of an answer has arrived.
   * @throws what `read` throws, with a hint if the model is gone, or perhaps.
   */
  async send(request: AnswerRequest, read: (body: JsonObject) => Promise<void>): Promise<void> {
    const { operation, body, keepsModel } = request
    const key = `${operation.path} ${JSON.stringify(body.model)}`
    const known = keepsModel ? undefined : this.#aliases.get(key)
    if (known) return this.#sendWithUsage({ ...request, body: { ...body, model: await known } }, read)
    try {
      await this.#sendWithUsage(request, read)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      const rotation = await import('../models/rotation.ts')
      // Such a reply arrives before any of the answer: nothing was shown that the second request would repeat.
      if (keepsModel || !rotation.mayBeRotated(error)) {
        throw await (await import('../models/efforts.ts')).withEffortHint(error, body, this.#options.catalog)
      }
      const alias = this.#aliases.get(key) ?? this.#findAlias(request, error, rotation)
      this.#aliases.set(key, alias)
      await this.send({ ...request, body: { ...body, model: await alias } }, read)
    }
  }

  async #findAlias(
    { operation, body }: AnswerRequest,
    error: StatusError,
    { aliasInstead, modelName }: typeof import('../models/rotation.ts'),
  ): Promise<string> {
    const { catalog, notify, onFallback } = this.#options
    const alias = await aliasInstead(error, { operation, body, ...this.#options }, catalog)
    await notify(`${error.message}; using ${alias} instead of ${modelName(body.model)}`)
    await onFallback?.(alias)
    return alias
  }

  /** Sends the request again without the added option if the service refuses that. */
  async #sendWithUsage(
    { operation, body, needsUsage }: AnswerRequest,
    read: (body: JsonObject) => Promise<void>,
  ): Promise<void> {
    const { catalog } = this.#options
    const sent = needsUsage ? withUsageOption(operation, body, catalog) : body
    try {
      await read(sent)
    } catch (error) {
      if (sent === body || !isUsageRefusal(error)) throw error
      await read(body)
      // Only now: the words may have been about something else.
      await catalog.rememberUsageOptionRefused(operation)
    }
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
    throw to.answer.hasAnswer ? cutShort(error) : error
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
