/** What an endpoint answers, its errors, and the check of a request body against a table of fields. */

import { checkBody, missingField } from '../fields/parse.ts'
import type { Fields, Values } from '../fields/field.ts'
import { isModelName } from '../fields/model-facts.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { jsonPath } from '../io/json/print.ts'

/** A reply with a status other than 200. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}

/** @param where The path of a field. @param found Its value. */
export function notAccepted(where: string, found: unknown, reason: string): HttpError {
  return new HttpError(400, `${where}: ${JSON.stringify(found)} is not accepted; ${reason}`)
}

export interface SandboxEvent {
  /** For the `event:` line, which only the messages dialect has. */
  readonly name?: string
  /** JSON text, or the end of a stream of the chat dialect. */
  readonly data: string
  /** Whether the event counts as a token for pacing. */
  readonly isToken?: boolean
}

/** A JSON reply, or a stream of events. */
export type SandboxReply = { readonly json: Json } | { readonly events: Iterable<SandboxEvent> }

/**
 * @param optional Required rows that are optional for this endpoint.
 * @returns the body without keys that are null, which clients send for unset fields.
 * @throws HttpError naming the field.
 */
export async function checkRequest<F extends Fields>(
  fields: F,
  body: unknown,
  optional: readonly string[] = [],
): Promise<Values<F> & JsonObject> {
  if (!isObject(body)) throw new HttpError(400, 'The request body must be a JSON object.')
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const { model } = given
  if (typeof model === 'string' && !isModelName(model)) {
    throw new HttpError(400, `Your model name should start with an hf: prefix; got ${JSON.stringify(model)}`)
  }
  const rows = Object.entries(fields).filter(([name]) => !optional.includes(name))
  const missing = missingField(Object.fromEntries(rows), given)
  if (missing !== undefined) throw new HttpError(400, `$.${missing} is missing; it is required`)
  const problem = await checkBody(fields, given)
  if (!problem) return given as Values<F> & JsonObject
  const { path, found, expected } = problem
  if (found === 'missing') throw new HttpError(400, `${jsonPath(path)} is missing; ${expected}`)
  throw new HttpError(400, `${jsonPath(path)}: ${found} is not accepted; expected ${expected}`)
}
