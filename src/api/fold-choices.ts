/** Puts streamed chunks together to the answer that the service would have given whole, unknown keys included. */

import { objectsIn, type Json, type JsonObject } from '../io/json.ts'

/** One choice while its parts come in; its index and finish reason are seen to here. */
export interface GrowingChoice {
  add(part: JsonObject): void
  whole(): JsonObject
}

interface Numbered {
  readonly choice: GrowingChoice
  finishReason: Json
}

/**
 * @param chunks Of one answer, in the order in which they came.
 * @param object What a whole answer of this kind calls itself.
 */
export function foldChoices(
  chunks: readonly JsonObject[],
  object: string,
  createChoice: () => GrowingChoice,
): JsonObject {
  const answer: JsonObject = {}
  const choices = new Map<number, Numbered>()
  for (const { choices: parts, ...head } of chunks) {
    for (const [key, value] of Object.entries(head)) {
      if (value !== null || !Object.hasOwn(answer, key)) answer[key] = value
    }
    for (const { index, finish_reason: reason, ...part } of objectsIn(parts)) {
      const number = typeof index === 'number' ? index : 0
      const known = choices.get(number) ?? { choice: createChoice(), finishReason: null }
      choices.set(number, known)
      known.choice.add(part)
      known.finishReason = reason ?? known.finishReason
    }
  }
  const { usage, ...head } = { ...answer, object } as JsonObject
  const folded = [...choices].sort(([a], [b]) => a - b).map(wholeChoice)
  return { ...head, choices: folded, ...(usage !== undefined && { usage }) }
}

function wholeChoice([index, { choice, finishReason }]: [number, Numbered]): JsonObject {
  return { index, ...choice.whole(), finish_reason: finishReason }
}
