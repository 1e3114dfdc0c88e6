/** Counts the prompt tokens of messages requests (section 4). */

import { NetworkError, StatusError, exitCodes, withAddedHint } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { quote } from '../../io/json/print.ts'
import { mapConcurrently } from '../concurrent-map.ts'
import { aliasFor } from '../models.ts'
import { operations, type ModelOperation, type Sender } from '../operations.ts'
import { countTokensFields } from './fields.ts'

export const countTokens = {
  ...operations.countTokens,
  fields: countTokensFields,
  alias: aliasFor,
} as const satisfies ModelOperation

export interface Countable {
  /** The file, if this is the text of a single file; `-` for standard input. */
  readonly file?: string
  /** Empty if there is no text: services refuse an empty message. */
  readonly messages: readonly Json[]
}

/** `reply` is the whole one. */
export type TokenCountReply = Readonly<Awaited<ReturnType<typeof count>>>

/** Sends one request for each, and returns the counts in order. @throws StatusError, NetworkError, also without a count. */
export async function countAll(
  countables: readonly Countable[],
  others: JsonObject,
  client: Sender,
): Promise<TokenCountReply[]> {
  const all: TokenCountReply[] = []
  for await (const counted of mapConcurrently(countables, (one) => count(one, others, client))) {
    all.push(counted)
  }
  return all
}

/** @param others The request's fields except `messages`. */
export function countBody({ messages }: Countable, others: JsonObject): JsonObject {
  return { ...others, messages: [...messages] }
}

async function count(countable: Countable, others: JsonObject, client: Sender) {
  const { file, messages } = countable
  if (messages.length === 0) return { file, tokens: 0, reply: { input_tokens: 0 } }
  try {
    const { json, exact } = await client.send(countTokens, countBody(countable, others))
    return { file, tokens: tokensIn(json), reply: exact() }
  } catch (error) {
    const isAboutBody = error instanceof StatusError && error.code === exitCodes.failed
    throw isAboutBody && file !== undefined ? withAddedHint(error, `the request contained ${file}`) : error
  }
}

function tokensIn(reply: Json): number {
  const tokens = isObject(reply) ? reply.input_tokens : undefined
  if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number
  throw new NetworkError(`the reply contains no token count: ${quote(reply)}`)
}
