/** Counts the prompt tokens of messages requests (section 4). */

import { NetworkError } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { aliasFor } from '../models.ts'
import { operations, type ModelOperation, type Sender } from '../operations.ts'
import { countTokensFields } from './fields.ts'

export const countTokens = {
  ...operations.countTokens,
  fields: countTokensFields,
  alias: aliasFor,
} as const satisfies ModelOperation

export interface TokenCount {
  readonly tokens: number
  /** The whole one. */
  readonly reply: Json
}

/** Counts the tokens of a request. @throws StatusError, NetworkError, also without a count. */
export async function sendCount(body: JsonObject, client: Sender): Promise<TokenCount> {
  const { json, exact } = await client.send(countTokens, body)
  return { tokens: tokensIn(json), reply: exact() }
}

function tokensIn(reply: Json): number {
  const tokens = isObject(reply) ? reply.input_tokens : undefined
  if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number
  throw new NetworkError(`the reply contains no token count: ${quote(reply)}`)
}
