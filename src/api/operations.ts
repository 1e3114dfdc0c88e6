/**
 * The operations of the service, one row each (section 4). Every request loads this file, so it has only facts: request
 * tables (`NAME/fields.ts`) and decoders are in a folder per operation.
 */

import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { AccumulatorFactory } from '../stream/accumulator.ts'
import type { Model } from './models.ts'

/** In bytes, and in values of JSON. */
export interface ReplySize {
  readonly bytes: number
  readonly values: number
}

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** The specification's path; starts with a slash. `urlsOf` makes URLs of it. */
  readonly path: string
  /** Paths that other services use, tried when `path` is not found. */
  readonly otherPaths?: readonly string[]
  /** Replies to inference requests have the quota record in a header. */
  readonly isInference?: boolean
  /** Whether a request names a model: then a 404 may be about the model. */
  readonly hasModel?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** A status that says what the model cannot do: such a request is not sent again. */
  readonly finalStatus?: number
  /** The largest reply, if smaller than the limit for any reply. */
  readonly maxReply?: ReplySize
  /** What a reply may have for each input, if that is more than the limit for any reply. */
  readonly maxReplyPerInput?: ReplySize
}

// Sent by every client of the messages dialect; the specification requires no header (section 5, note 4).
const messagesHeaders = { 'anthropic-version': '2023-06-01' } as const

const mebibyte = 1024 * 1024

/** In bytes: what the service reads of a request, as of November 2026. Other services take more. */
export const requestLimit = 10 * mebibyte

// Printing takes up to 10 µs a value and 200 ms a mebibyte: with these limits, Ctrl-C waits little longer than it may. Records
// have fewer than a hundred values, search results fewer than a thousand, some of them whole pages, and a list of models about
// twenty for each.
const record = { bytes: mebibyte, values: 4096 }
const pages = { bytes: 16 * mebibyte, values: 32_768 }
const longList = { bytes: 4 * mebibyte, values: 131_072 }

export const operations = {
  models: { method: 'GET', path: '/openai/v1/models', maxReply: longList },
  chat: {
    method: 'POST',
    path: '/openai/v1/chat/completions',
    hasModel: true,
    isInference: true,
  },
  completions: {
    method: 'POST',
    path: '/openai/v1/completions',
    hasModel: true,
    isInference: true,
  },
  // Does not count against the subscription (section 4, note 8).
  embeddings: {
    method: 'POST',
    path: '/openai/v1/embeddings',
    hasModel: true,
    // 16,384 numbers of 20 digits take a third of a mebibyte.
    maxReplyPerInput: { bytes: mebibyte, values: 32_768 },
    isInference: true,
  },
  messages: {
    method: 'POST',
    path: '/anthropic/v1/messages',
    hasModel: true,
    headers: messagesHeaders,
    isInference: true,
  },
  countTokens: {
    method: 'POST',
    path: '/anthropic/v1/messages/count_tokens',
    hasModel: true,
    finalStatus: 500,
    headers: messagesHeaders,
    maxReply: record,
  },
  quota: { method: 'GET', path: '/v2/quotas', maxReply: record },
  search: {
    method: 'POST',
    path: '/search',
    otherPaths: ['/v2/search'],
    maxReply: pages,
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof operations

/**
 * The URLs where an operation may be found, to be tried in this order: below the base URL. If that ends in `/v1`, it is the
 * root of both dialects, without their prefixes; what belongs to neither may also be found next to `/v1`.
 * @param baseUrl Without a trailing slash.
 */
export function urlsOf({ path, otherPaths = [] }: Operation, baseUrl: string): string[] {
  const origin = baseUrl.replace(/\/v1$/, '')
  const paths = [path, ...otherPaths]
  if (origin === baseUrl) return paths.map((one) => baseUrl + one)
  const pathInFamily = path.replace(/^\/(openai|anthropic)\/v1/, '')
  if (pathInFamily !== path) return [baseUrl + pathInFamily]
  return [baseUrl, origin].flatMap((root) => paths.map((one) => root + one))
}

/** An operation of a text model. */
export interface ModelOperation extends Operation {
  readonly hasModel: true
  readonly fields: Fields
  /** The alias for a request without a model, or with one that was rotated out. @param list What models take is read there. */
  alias(body: JsonObject, list: readonly Model[]): string
}

/** An operation whose answer can be streamed. */
export interface StreamingOperation extends ModelOperation {
  /** Whether an answer that ends at its limit of tokens is whole: only of a completion, which has no other end. */
  readonly endsAtLimit?: boolean
  choiceCount(body: JsonObject): number
  readonly createAccumulator: AccumulatorFactory
}

/** @param body Of a request of any dialect. */
export function offersTools({ tools, functions }: JsonObject): boolean {
  return [tools, functions].some((list) => Array.isArray(list) && list.length > 0)
}

/** Sends requests: the client, or its lazy wrapper. */
export interface Sender {
  /** @throws StatusError, NetworkError */
  send(operation: Operation, body?: JsonObject, options?: SendOptions): Promise<JsonReply>
}

export interface SendOptions {
  /** For a reply that the run can do without, or a caller that retries: a failure is thrown as it is, without a notice. */
  readonly oneAttempt?: boolean | undefined
  /** Aborts the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called each second of a wait with the rest of it, in milliseconds; without it at the end. */
  readonly onWait?: ((left?: number) => void) | undefined
}

/** A whole reply. Header names are in lower case. */
export interface JsonReply {
  readonly json: Json
  /** For printing: with the service's own digits, see `withExactNumbers`. */
  readonly exact: () => Json
  /** The document as the service wrote it. */
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}
