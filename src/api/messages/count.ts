/** Counts the tokens that messages requests would read (section 4). */

import { NetworkError, StatusError, exitCodes, withAddedHint } from '../../errors.ts'
import { isObject, quote, type Json, type JsonObject } from '../../io/json.ts'
import { mapInOrder, maxConcurrentRequests } from '../in-order.ts'
import { operations, type ModelOperation, type Sender } from '../operations.ts'
import { countTokensFields } from './fields.ts'
import { messages } from './operation.ts'

export const countTokens = {
  ...operations.countTokens,
  fields: countTokensFields,
  alias: messages.alias,
} as const satisfies ModelOperation

export interface Countable {
  /** The file that it is the text of, where it is just that; `-` for standard input. */
  readonly file?: string
  /** None where there is no text: a service refuses an empty message. */
  readonly messages: readonly Json[]
}

export interface TokenCountReply {
  readonly file?: string | undefined
  readonly tokens: number
  /** The service's whole answer. */
  readonly reply: Json
}

/**
 * Counts each by a request of its own.
 * @param others The fields beside the messages.
 * @returns the counts in the order of what was counted.
 * @throws StatusError, NetworkError, also for a reply that holds no count.
 */
export async function countAll(
  countables: readonly Countable[],
  others: JsonObject,
  client: Sender,
): Promise<TokenCountReply[]> {
  const all: TokenCountReply[] = []
  for await (const counted of mapInOrder(countables, maxConcurrentRequests, (one) => count(one, others, client)))
    all.push(counted)
  return all
}

/** @param others The fields beside the messages. */
export function countBody({ messages: said }: Countable, others: JsonObject): JsonObject {
  return { ...others, messages: [...said] }
}

async function count(countable: Countable, others: JsonObject, client: Sender): Promise<TokenCountReply> {
  const { file, messages: said } = countable
  if (said.length === 0) return { file, tokens: 0, reply: { input_tokens: 0 } }
  try {
    const { json } = await client.send(countTokens, countBody(countable, others))
    return { file, tokens: tokensIn(json), reply: json }
  } catch (error) {
    const isAboutBody = error instanceof StatusError && error.code === exitCodes.failed
    throw isAboutBody && file !== undefined ? withAddedHint(error, `the request held ${file}`) : error
  }
}

function tokensIn(reply: Json): number {
  const tokens = isObject(reply) ? reply.input_tokens : undefined
  if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number
  throw new NetworkError(`the reply holds no count of tokens: ${quote(reply)}`)
}
