/** What an operation of the service is, apart from how it travels. */

import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { Decoder } from '../stream/answer.ts'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Below the base address, with its leading slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of a whole reply, in bytes, where it is less than what any reply may have. */
  readonly longestReply?: number
}

/** An operation that a text model carries out. */
export interface ModelledOperation extends Operation {
  readonly fields: Fields
  /** The alias that stands in where a request names no model, or one that is gone. */
  alias(body: JsonObject): string
}

/** An operation whose answer can arrive in parts. */
export interface StreamingOperation extends ModelledOperation {
  /** How many answers a request asks for. */
  choiceCount(body: JsonObject): number
  /** Makes the decoder of one answer; it may remember what it has seen. */
  createDecoder(): Decoder
  /** Puts the chunks of a streamed answer together to the whole answer the service gives unstreamed. */
  fold(chunks: readonly JsonObject[]): JsonObject
}

export interface SendOptions {
  /** The request is not what the run is about: it is not tried again, and nothing is said of it. */
  readonly isAside?: boolean | undefined
  /** Ends the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A whole reply. Header names are in lower case. */
export interface Reply {
  readonly json: Json
  readonly headers: Readonly<Record<string, string>>
}
