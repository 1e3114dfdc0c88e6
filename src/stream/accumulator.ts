/**
 * What each API accumulates of a reply (`api/NAME/operation.ts`): it makes deltas of what the service sends, and if somebody
 * reads it, the JSON that the service sends without streaming. All that is kept of an answer as people see it is made of the
 * deltas, in `answer.ts`.
 */

import type { JsonObject } from '../io/json/json.ts'
import type { Delta } from './delta.ts'

/** One answer. Without its JSON it keeps numbers and the ids of calls only. */
export interface Accumulator {
  /** The deltas of one streamed event. @param exact The chunk as of `withExactNumbers`. */
  add(chunk: JsonObject, exact: () => JsonObject): Delta[]
  /** The deltas of an answer that was not streamed. */
  addWhole(answer: JsonObject, exact: () => JsonObject): Delta[]
  /** The streamed answer as the service sends it without streaming, unknown keys included. Only if JSON is kept. */
  build(): JsonObject
  /**
   * Whether a chunk starts another answer than that of the chunks before, as when a gateway lost its backend: what came before is
   * no part of it.
   */
  startsAnother(chunk: JsonObject): boolean
  /** Adds to a chunk the type that only the event's name gives. */
  completeChunk?(chunk: JsonObject, event: string): JsonObject
  /** Whether a chunk ends the stream, in dialects that do not end it with `[DONE]`. */
  isLast?(chunk: JsonObject): boolean
}

/** @param keepsJson Whether `build` will be called: until then, each chunk takes time and memory. */
export type AccumulatorFactory = (keepsJson: boolean) => Accumulator
