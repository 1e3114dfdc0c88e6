/** Sends the request of a row once, and makes a result of the reply. */

import type { Client } from '../../api/client.ts'
import type { Operation, StreamingOperation } from '../../api/operations.ts'
import { otherDimensions } from '../../api/embeddings/embed.ts'
import { quotaOfHeaders } from '../../api/quota.ts'
import { outcomeOf } from '../../answer/outcome.ts'
import type { AnswerSchema } from '../../answer/schema.ts'
import { AnswerSender, type AnswerSenderOptions, receive } from '../../answer/send.ts'
import type { SpendingRequest } from '../../answer/spending.ts'
import { type CutShortError, NetworkError, type StatusError } from '../../errors.ts'
import { hintWords } from '../../hint-words.ts'
import { isObject, type JsonObject } from '../../io/json/json.ts'
import type { Secrets } from '../../io/secrets.ts'
import { Answer } from '../../stream/answer.ts'
import { decodeUsage } from '../../stream/delta.ts'
import { schemaError, type RowError, type RowRequest, type RowResult } from '../row.ts'

/** The reply to one attempt. */
export interface RowReply {
  readonly result: Omit<RowResult, 'attempts'>
  /** Milliseconds to the first of the answer. */
  readonly wait: number
  /** The quota record in a header. */
  readonly quota: JsonObject | undefined
}

/**
 * Sends one attempt; with `asksAll`, also to other models if the row's is overloaded.
 * @param spending Is told what may cost more than the request itself.
 * @throws what the client and `spending` throw; a 404 because of the run's own model has a hint.
 */
export type SendRow = (request: RowRequest, asksAll?: boolean, spending?: SpendingRequest) => Promise<RowReply>

/** `notify` is called once for each model that is replaced, and if embeddings have other dimensions than requested. */
export interface SenderOptions extends AnswerSenderOptions {
  readonly client: Pick<Client, 'stream' | 'send' | 'budget'>
  readonly secrets: Secrets
  /** Checks the text of each answer. */
  readonly schema: Pick<AnswerSchema, 'check'> | undefined
  /** Whether an answer that is empty or cut off at the token limit is taken as it is. */
  readonly allowsCut: boolean
  readonly now: () => number
}

/** Requests are aborted with the client. */
export function createSender(options: SenderOptions): SendRow {
  const { client, secrets, schema, allowsCut, now } = options
  const answers = new AnswerSender(options)
  let hasWarnedOfDimensions = false

  async function ask(operation: StreamingOperation, ...given: Parameters<SendRow>): Promise<RowReply> {
    const [row, asksAll = false, spending] = given
    const { body: request, hasOwnModel } = row
    const started = now()
    using answer = new Answer({
      keepsTexts: schema !== undefined,
      now,
      budget: client.budget,
    })
    const streaming = { keepsJson: true, oneAttempt: true, onLost: spending?.lose } as const
    const isSentAgain = ({ status }: StatusError): boolean => !asksAll || status === 429
    const sending = { operation, body: request, needsUsage: true, hasOwnModel, answer, isSentAgain }
    const asked = await answers.send({ ...sending, onModel: spending?.ask }, (sent) =>
      receive(client.stream(operation, sent, streaming), { answer, restart: () => Promise.resolve() }),
    )
    const { model, usage, quota, json: body = {}, isCutOff } = answer
    const settled = outcomeOf({ answer, operation, body: request }, { runsTools: false, mustBeWhole: true })
    const part = settled.kind === 'incomplete' ? incompleteError(settled.error, isCutOff) : undefined
    const problem = part && !allowsCut ? part : await schemaError(answer.texts, schema)
    // It is stored, and quotes the answer.
    const error = problem && { ...problem, message: secrets.mask(problem.message) }
    const response = { status_code: 200, body }
    return {
      result: { asked, model, usage, response, error, part, isCutOff },
      wait: (answer.firstAt ?? now()) - started,
      quota,
    }
  }

  async function embed(operation: Operation, { body: request }: RowRequest): Promise<RowReply> {
    const started = now()
    const reply = await client.send(operation, request, { oneAttempt: true })
    const { json, headers } = reply
    if (!isObject(json) || !Array.isArray(json.data)) throw new NetworkError('the reply contains no embeddings')
    const [first] = json.data
    const vector = isObject(first) && Array.isArray(first.embedding) ? first.embedding : undefined
    const warning = hasWarnedOfDimensions || !vector ? undefined : otherDimensions(request, [vector])
    if (warning !== undefined) {
      hasWarnedOfDimensions = true
      await options.notify(warning)
    }
    const model = typeof json.model === 'string' ? json.model : undefined
    const response = { status_code: 200, body: reply.exact() }
    const result = { model, usage: decodeUsage(json.usage), response, error: null, isCutOff: false }
    return { result, wait: now() - started, quota: quotaOfHeaders(headers) }
  }

  return (row, ...how) =>
    'createAccumulator' in row.operation ? ask(row.operation, row, ...how) : embed(row.operation, row)
}

/** The error of an answer that is not whole. Such a row is sent again only with a higher token limit. */
function incompleteError({ message, hint = '' }: CutShortError, isCutOff: boolean): RowError {
  return { code: isCutOff ? 'token_limit' : 'empty', message: hintWords([message, hint]) }
}
