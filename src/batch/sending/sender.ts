/** Sends the request of a row once, and makes a result of the reply. */

import type { Client } from '../../api/client.ts'
import type { Operation, StreamingOperation } from '../../api/operations.ts'
import { otherDimensions } from '../../api/embeddings/embed.ts'
import { quotaOfHeaders } from '../../api/quota.ts'
import { Outcome } from '../../answer/outcome.ts'
import type { AnswerSchema } from '../../answer/schema.ts'
import { sendWithUsageOption, type UsageOptionMemory, withUsageOption } from '../../answer/usage-option.ts'
import { FailedError, NetworkError, StatusError } from '../../errors.ts'
import { flagOf } from '../../fields/field.ts'
import { exactJson, isObject, type Json, type JsonObject } from '../../io/json.ts'
import type { Secrets } from '../../io/secrets.ts'
import type { Catalog } from '../../models/catalog.ts'
import { fallbackFor, findRotation, mayBeRotated, modelName, withModelHint } from '../../models/rotation.ts'
import { decodeUsage, isContent, type Delta, type Usage } from '../../stream/delta.ts'
import { finishKind } from '../../stream/finish-reason.ts'
import { codesOfParts, type RowError, type RowRequest, type RowResult } from '../row.ts'

/** The reply to one attempt. */
export interface RowReply {
  readonly result: Omit<RowResult, 'attempts'>
  /** Milliseconds to the first of the answer. */
  readonly wait: number
  /** The quota record in a header. */
  readonly quota: JsonObject | undefined
}

/** Sends one attempt. @throws what the client throws; a 404 because of the run's own model has a hint. */
export type SendRow = (request: RowRequest) => Promise<RowReply>

export interface SenderOptions {
  readonly client: Pick<Client, 'stream' | 'send'>
  readonly catalog: Catalog
  readonly secrets: Secrets
  /** Checks the text of each answer. */
  readonly schema: Pick<AnswerSchema, 'check'> | undefined
  /** Whether an answer that is empty or cut off at the token limit is taken as it is. */
  readonly allowsCut: boolean
  /** Whether to ask the alias for the rest of the run if the run's own model is gone. */
  readonly fallback: boolean
  /** Called once for each model that is replaced, and if embeddings have other dimensions than requested. */
  readonly notify: (text: string) => Promise<void>
  readonly now: () => number
}

/** Requests are aborted with the client. */
export function createSender(options: SenderOptions): SendRow {
  const sender = new RowSender(options)
  return (request) => sender.send(request)
}

class RowSender {
  readonly #options: SenderOptions
  readonly #memory: UsageOptionMemory
  /** The alias that is asked instead of a model that is gone. */
  readonly #aliases = new Map<string, Promise<string>>()
  #hasWarnedOfDimensions = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#memory = rememberRefusals(options.catalog)
  }

  async send(request: RowRequest): Promise<RowReply> {
    const { operation, body } = request
    if (!isStreaming(operation)) return this.#embed(operation, body)
    const alias = request.hasOwnModel ? undefined : this.#aliases.get(modelKey(operation, body.model))
    if (alias !== undefined) return this.#ask(operation, { ...body, model: await alias })
    try {
      return await this.#ask(operation, body)
    } catch (error) {
      if (request.hasOwnModel || !(error instanceof StatusError) || !mayBeRotated(error)) throw error
      return this.#ask(operation, { ...body, model: await this.#aliasFor(operation, body, error) })
    }
  }

  /** All requests in flight fail together: they share what is found out. @throws the error, with a hint. */
  #aliasFor(operation: StreamingOperation, body: RowRequest['body'], error: StatusError): Promise<string> {
    const key = modelKey(operation, body.model)
    const found = this.#aliases.get(key) ?? this.#findAlias(operation, body, error)
    this.#aliases.set(key, found)
    return found
  }

  async #findAlias(operation: StreamingOperation, body: RowRequest['body'], error: StatusError): Promise<string> {
    const { catalog, fallback, notify } = this.#options
    const rotation = await findRotation(error, body.model, catalog)
    const alias = fallback ? fallbackFor(rotation, operation, body) : undefined
    if (alias === undefined) throw withModelHint(rotation, operation, body)
    await notify(`${error.message}; using ${alias} instead of ${modelName(body.model)}`)
    return alias
  }

  async #ask(operation: StreamingOperation, request: RowRequest['body']): Promise<RowReply> {
    const { client, secrets, schema, allowsCut, now } = this.#options
    const started = now()
    let answer = new Answer(operation, request, schema !== undefined)
    const readAll = async (body: JsonObject): Promise<void> => {
      answer = new Answer(operation, request, schema !== undefined)
      for await (const deltas of client.stream(operation, body, {
        withChunks: true,
        held: 'chunks',
        oneAttempt: true,
      })) {
        answer.add(deltas, now)
      }
    }
    const sent = withUsageOption(operation, request, this.#memory)
    await sendWithUsageOption(readAll, sent, { operation, request }, this.#memory)
    const { model, usage, isCutOff, quota } = answer
    const body = answer.body()
    const text = exactJson(body)
    if (secrets.mayBeIn(text) || secrets.mayEndValueIn(text)) secrets.maskCutValues(body)
    const incomplete = allowsCut ? null : answer.incomplete()
    const error = incomplete ?? (schema === undefined ? null : await misfitOf(answer.texts, schema))
    const response = { status_code: 200, body }
    return { result: { model, usage, response, error, isCutOff }, wait: (answer.firstAt ?? now()) - started, quota }
  }

  async #embed(operation: Operation, request: JsonObject): Promise<RowReply> {
    const { client, now } = this.#options
    const started = now()
    const reply = await client.send(operation, request, { oneAttempt: true })
    const { json, headers } = reply
    if (!isObject(json) || !Array.isArray(json.data)) throw new NetworkError('the reply contains no embeddings')
    const [first] = json.data
    const vector = isObject(first) && Array.isArray(first.embedding) ? first.embedding : undefined
    const warning = this.#hasWarnedOfDimensions || !vector ? undefined : otherDimensions(request, [vector])
    if (warning !== undefined) {
      this.#hasWarnedOfDimensions = true
      await this.#options.notify(warning)
    }
    const model = typeof json.model === 'string' ? json.model : undefined
    const response = { status_code: 200, body: reply.exact() }
    const result = { model, usage: decodeUsage(json.usage), response, error: null, isCutOff: false }
    return { result, wait: now() - started, quota: quotaOfHeaders(headers) }
  }
}

/** What is kept of an answer while it arrives. */
class Answer {
  readonly #operation: StreamingOperation
  readonly #outcome: Outcome
  readonly #keepsTexts: boolean
  readonly #chunks: JsonObject[] = []
  readonly #texts = new Map<number, string>()
  #whole: JsonObject | undefined
  model: string | undefined
  usage: Usage | undefined
  quota: JsonObject | undefined
  isCutOff = false
  /** When its first content arrived. */
  firstAt: number | undefined

  constructor(operation: StreamingOperation, body: JsonObject, keepsTexts: boolean) {
    this.#operation = operation
    const title = (index: number): string => `Answer ${index + 1}`
    this.#outcome = new Outcome({ operation, body, title, nameOf: flagOf, keepsTexts: false })
    this.#keepsTexts = keepsTexts
  }

  add(deltas: readonly Delta[], now: () => number): void {
    this.#outcome.add(deltas)
    for (const delta of deltas) {
      if (delta.type === 'chunk') {
        if (delta.isWhole) this.#whole = delta.json
        else this.#chunks.push(delta.json)
      } else if (delta.type === 'start') this.model = delta.model
      else if (delta.type === 'usage') this.usage = delta.usage
      else if (delta.type === 'quota') this.quota = delta.quota
      else if (delta.type === 'end') this.#end(delta)
      else if (isContent(delta)) {
        this.firstAt ??= now()
        if (delta.type === 'text' && this.#keepsTexts) this.#addText(delta)
      }
    }
  }

  /** Of each choice. */
  get texts(): Iterable<string> {
    return this.#texts.values()
  }

  /** @returns `null` for an answer that is whole. */
  incomplete(): RowError | null {
    const error = this.#outcome.incomplete()
    if (!error) return null
    const code = this.isCutOff ? codesOfParts.cutOff : codesOfParts.empty
    return { code, message: [error.message, ...(error.hint === undefined ? [] : [error.hint])].join('; ') }
  }

  body(): JsonObject {
    return this.#whole ?? this.#operation.fold(this.#chunks)
  }

  #end({ index, reason }: Extract<Delta, { type: 'end' }>): void {
    this.isCutOff ||= ['limit', 'window'].includes(finishKind(reason))
    // An answer without text does not match a schema.
    if (this.#keepsTexts) this.#addText({ index, text: '' })
  }

  #addText({ index, text }: { index: number; text: string }): void {
    this.#texts.set(index, (this.#texts.get(index) ?? '') + text)
  }
}

async function misfitOf(texts: Iterable<string>, schema: Pick<AnswerSchema, 'check'>): Promise<RowError | null> {
  try {
    for (const text of texts) await schema.check(text)
    return null
  } catch (error) {
    if (!(error instanceof FailedError)) throw error
    return { code: 'schema_mismatch', message: error.message }
  }
}

function isStreaming(operation: RowRequest['operation']): operation is StreamingOperation {
  return 'fold' in operation
}

function modelKey({ path }: Operation, model: Json): string {
  return `${path} ${modelName(model)}`
}

/** The catalog reads a file each time. */
function rememberRefusals(catalog: UsageOptionMemory): UsageOptionMemory {
  const known = new Map<string, boolean>()
  return {
    refusesUsageOption(operation) {
      const { path } = operation
      const refuses = known.get(path) ?? catalog.refusesUsageOption(operation)
      known.set(path, refuses)
      return refuses
    },
    async rememberUsageOptionRefused(operation) {
      if (known.get(operation.path)) return
      known.set(operation.path, true)
      await catalog.rememberUsageOptionRefused(operation)
    },
  }
}
