/** The stream that chat and text completions share (section 4, note 5). */

import type { JsonObject } from '../io/json.ts'
import { streamEnd, type ServerEvent } from './event-stream.ts'

/**
 * The tokens of all choices side by side, then the end of each.
 * @param hasUsageChunk Whether usage comes in a chunk of its own, as `stream_options.include_usage` asks; otherwise the
 *   last choice's last chunk carries it.
 */
export function* choiceChunks(
  head: JsonObject,
  tokens: readonly Iterable<JsonObject>[],
  ends: readonly JsonObject[],
  usage: JsonObject,
  hasUsageChunk: boolean,
): Generator<ServerEvent> {
  for (const choice of takeTurns(tokens)) {
    yield { data: { ...head, choices: [{ finish_reason: null, ...choice }] }, isToken: true }
  }
  for (const [at, choice] of ends.entries()) {
    const isLast = at === ends.length - 1
    yield { data: { ...head, choices: [choice], ...(isLast && !hasUsageChunk ? { usage } : {}) } }
  }
  if (hasUsageChunk) yield { data: { ...head, choices: [], usage } }
  yield { data: streamEnd }
}

/** One item of each source in turn, until all are spent. */
function* takeTurns<T>(sources: readonly Iterable<T>[]): Generator<T> {
  let running = sources.map((source) => source[Symbol.iterator]())
  while (running.length > 0) {
    const left: Iterator<T>[] = []
    for (const iterator of running) {
      const { done, value } = iterator.next()
      if (done) continue
      yield value
      left.push(iterator)
    }
    running = left
  }
}
