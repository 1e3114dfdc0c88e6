/** What an operation of the service is, apart from how it travels. */

import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../fields/json.ts'
import type { Decoder } from '../stream/answer.ts'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Below the base address, with its leading slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An operation whose answer can arrive in parts. */
export interface StreamingOperation extends Operation {
  readonly fields: Fields
  /** Makes the decoder of one answer; it may remember what it has seen. */
  createDecoder(): Decoder
  /** Puts the chunks of a streamed answer together to the whole answer the service gives unstreamed. */
  fold(chunks: readonly JsonObject[]): JsonObject
}

/** A whole reply. Header names are in lower case. */
export interface Reply {
  readonly json: Json
  readonly headers: Readonly<Record<string, string>>
}
