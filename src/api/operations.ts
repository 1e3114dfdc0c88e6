/**
 * The operations of the service: the table of section 4, one row each, and what an operation is. Every request loads this
 * file, so it holds facts only: an operation's request table (`NAME/fields.ts`) and its decoder stand in its own folder.
 */

import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Decoder } from '../stream/answer.ts'

/** What a request needs to know of its operation. */
export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Below the base address, with its leading slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of a whole reply, in bytes, where it is less than what any reply may have. */
  readonly longestReply?: number
}

/** A row of the table. */
export interface OperationRow extends Operation {
  /** The command that is there for it. */
  readonly command: string
  /** The section of the specification with its request table, where it has one. */
  readonly section?: string
  /** Other paths that services have it at, to be tried where `path` is absent. */
  readonly otherPaths?: readonly string[]
  /** Replies of inference carry the quota record in a header. */
  readonly isInference?: boolean
}

// What every client of the messages family sends; the specification names no header of its own (section 5, note 4).
const messagesHeaders = { 'anthropic-version': '2023-06-01' } as const

const mebibyte = 1024 * 1024

export const operations = {
  models: { method: 'GET', path: '/openai/v1/models', command: 'models' },
  chat: { method: 'POST', path: '/openai/v1/chat/completions', command: 'chat', section: '2.1', isInference: true },
  completions: {
    method: 'POST',
    path: '/openai/v1/completions',
    command: 'complete',
    section: '2.2',
    isInference: true,
  },
  // Does not count against the subscription (section 4, note 8).
  embeddings: { method: 'POST', path: '/openai/v1/embeddings', command: 'embed', section: '2.3', isInference: true },
  messages: {
    method: 'POST',
    path: '/anthropic/v1/messages',
    headers: messagesHeaders,
    command: 'messages',
    section: '2.4',
    isInference: true,
  },
  countTokens: {
    method: 'POST',
    path: '/anthropic/v1/messages/count_tokens',
    headers: messagesHeaders,
    command: 'count-tokens',
  },
  quota: { method: 'GET', path: '/v2/quotas', command: 'quota' },
  // Pages are quoted, not sent: a longer reply is a fault.
  search: {
    method: 'POST',
    path: '/search',
    otherPaths: ['/v2/search'],
    longestReply: 16 * mebibyte,
    command: 'search',
  },
} as const satisfies Readonly<Record<string, OperationRow>>

export type OperationName = keyof typeof operations

/** An operation that a text model carries out. */
export interface ModelOperation extends Operation {
  readonly fields: Fields
  /** The alias that stands in where a request names no model, or one that is gone. */
  alias(body: JsonObject): string
}

/** An operation whose answer can arrive in parts. */
export interface StreamingOperation extends ModelOperation {
  /** How many answers a request asks for. */
  choiceCount(body: JsonObject): number
  /** Makes the decoder of one answer; it may remember what it has seen. */
  createDecoder(): Decoder
  /** Puts the chunks of a streamed answer together to the whole answer the service gives unstreamed. */
  fold(chunks: readonly JsonObject[]): JsonObject
}

/** What sends requests: the client, or what stands in for it until it is loaded. */
export interface Sender {
  /** @throws StatusError, NetworkError */
  send(operation: Operation, body?: JsonObject, options?: SendOptions): Promise<Reply>
}

export interface SendOptions {
  /** The run can do without the reply: a failure is not retried, and no notice is given. */
  readonly bestEffort?: boolean | undefined
  /** Ends the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A whole reply. Header names are in lower case. */
export interface Reply {
  readonly json: Json
  readonly headers: Readonly<Record<string, string>>
}
