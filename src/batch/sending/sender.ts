/** Sends the request of a row once, and makes a result of the reply. */

import type { Client } from '../../api/client.ts'
import type { Operation, StreamingOperation } from '../../api/operations.ts'
import { otherDimensions } from '../../api/embeddings/embed.ts'
import { quotaOfHeaders } from '../../api/quota.ts'
import { createFollowUp } from '../../answer/ask-again.ts'
import { type AnswerOutcome, outcomeOf, type Problem } from '../../answer/outcome.ts'
import type { AnswerSchema } from '../../answer/schema.ts'
import { answerSender, type AnswerSenderOptions, receive } from '../../answer/send.ts'
import type { SpendingRequest } from '../../answer/spending.ts'
import { NetworkError, type StatusError } from '../../errors.ts'
import { hintWords } from '../../hint-words.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import type { Secrets } from '../../io/secrets.ts'
import { modelName } from '../../models/rotation.ts'
import { Answer } from '../../stream/answer.ts'
import { decodeUsage, type Usage } from '../../stream/delta.ts'
import { type RowError, type RowRequest, type RowResult } from '../row.ts'

/** The reply to one attempt. */
export interface RowReply {
  readonly result: Omit<RowResult, 'attempts'>
  /** How many were sent for it (default: 1). */
  readonly requests?: number
  /** The usage of the last of several. */
  readonly lastUsage?: Usage | undefined
  /** Milliseconds to the first of the answer. */
  readonly wait: number
  /** The quota record in a header. */
  readonly quota: JsonObject | undefined
}

/**
 * Sends one attempt; with `asksAll`, also to other models if the row's is overloaded.
 * @param spending Gets what may cost more than the request itself.
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
  /** Whether a blank answer is asked for once more: not for 0. */
  readonly retries: number
  /** How often an answer is sent back with what does not match the schema (default: never). */
  readonly repairs?: number | undefined
  /** The error in place of a request that may not be sent again (default: none). */
  refusal?(request: RowRequest): unknown
  readonly now: () => number
}

/** Requests are aborted with the client. */
export function createSender(options: SenderOptions): SendRow {
  const { client, secrets, schema, allowsCut, repairs = 0, now } = options
  const sendToModel = answerSender(options)
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
    const sending = { operation, needsUsage: true, hasOwnModel, answer, isSentAgain }
    const send = (body: RowRequest['body']): Promise<Json> =>
      sendToModel({ ...sending, body, onModel: spending?.ask }, (sent) =>
        receive(client.stream(operation, sent, streaming), { answer, restart: () => Promise.resolve() }),
      )
    const rules = { runsTools: false, mustBeWhole: !allowsCut, check: schema?.check }
    const followUp = createFollowUp(request, { retriesBlank: options.retries > 0 && !allowsCut, repairs })
    let next: RowRequest['body'] | undefined = request
    let asked: Json = request.model
    let outcome: AnswerOutcome = { runsCalls: false }
    while (next) {
      asked = await send(next)
      outcome = await outcomeOf({ answer, operation, body: request, json: schema && new Map() }, rules)
      next = followUp(outcome, answer)?.body
      if (next && options.refusal?.({ ...row, body: next }) !== undefined) next = undefined
      if (!next) break
      spending?.pay([modelName(asked), answer.model], answer.lastUsage)
      answer.askAgain()
    }
    const { model, usage, quota, json: body = {}, isCutOff, requests, lastUsage } = answer
    const [error, part] = [rowError(outcome.problem), rowError(outcome.part)]
    const response = { status_code: 200, body }
    return {
      result: { asked, model, usage, response, error: error ?? null, part, isCutOff },
      requests,
      lastUsage: requests > 1 ? lastUsage : undefined,
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

  /** The error is stored, and may quote the answer. */
  function rowError(problem: Problem | undefined): RowError | undefined {
    if (!problem) return undefined
    const { message, hint = '' } = problem.error
    return { code: problem.code, message: secrets.mask(hintWords([message, hint])) }
  }

  return (row, ...how) =>
    'createAccumulator' in row.operation ? ask(row.operation, row, ...how) : embed(row.operation, row)
}
