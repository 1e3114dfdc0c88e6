import type { JsonObject } from '../../io/json.ts'
import { foldChoices, type GrowingChoice } from '../fold-choices.ts'
import { merge } from '../merge.ts'

/** @param chunks Of one answer, in the order in which they came. */
export function foldCompletions(chunks: readonly JsonObject[]): JsonObject {
  return foldChoices(chunks, 'text_completion', () => new GrowingText())
}

class GrowingText implements GrowingChoice {
  readonly #choice: JsonObject = {}

  add(part: JsonObject): void {
    merge(this.#choice, part)
  }

  whole(): JsonObject {
    const { text, logprobs, ...others } = this.#choice
    return { text: text ?? '', logprobs: logprobs ?? null, ...others }
  }
}
