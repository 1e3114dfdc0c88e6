/** The types that the parts of `syn batch` share: from the request of a record to its result. */

import type { ProblemCode } from '../answer/outcome.ts'
import type { Operation, StreamingOperation } from '../api/operations.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { InputRecord } from '../input/records.ts'
import type { Usage } from '../stream/delta.ts'

export interface RowRequest {
  readonly record: InputRecord
  /** What the record gives, or `line-N`. */
  readonly customId: string
  readonly operation: StreamingOperation | (Operation & { readonly path: '/openai/v1/embeddings' })
  /** The body that is sent, except that of a streamed answer the usage may be requested in addition. */
  readonly body: JsonObject & { readonly model: Json }
  /**
   * Made of the base URL, the path and the body, which is taken without `stream` and `stream_options`, and in a conversation without
   * the token limits: 32 hexadecimal digits. Rows with the same hash are the same request. Computed each time.
   */
  readonly hash: string
  /** The most tokens of the answer; `Infinity` without a limit. */
  readonly limit: number
  /** Whether the model is the record's own, not the run's. */
  readonly hasOwnModel: boolean
}

/** What became of a request. */
export interface RowResult {
  /** Requests sent, those with status 429 included. */
  readonly attempts: number
  /** The model that was asked, if it may be another than that of the request. */
  readonly asked?: Json | undefined
  /** The name of the serving model. */
  readonly model?: string | undefined
  readonly usage?: Usage | undefined
  /** `null` if there was no reply. A failed row may have one: an answer that does not match the schema. */
  readonly response: { readonly status_code: number; readonly body: Json } | null
  /** `null` for a success. */
  readonly error: RowError | null
  /** The error of an answer that is not whole, also where that is a success. */
  readonly part?: RowError | undefined
  /** Whether the answer ended at the token limit. */
  readonly isCutOff: boolean
}

export interface RowError {
  /** Besides these, `invalid_request`, `http_400`, `network`, … */
  readonly code: ProblemCode | (string & {})
  readonly message: string
}
