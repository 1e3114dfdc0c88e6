/** Decodes text completion chunks (section 2.2) to deltas, and folds them to the whole answer. */

import { isNonEmptyText, type JsonObject } from '../../io/json/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import {
  addLogprobs,
  addReasoning,
  createChoiceDecoder,
  foldChoices,
  keysOfParts,
  type ChoiceBuilder,
  merge,
} from '../choices.ts'

export function createCompletionsDecoder(): Decoder {
  return createChoiceDecoder((deltas, choice, index) => {
    addReasoning(deltas, choice, index)
    if (isNonEmptyText(choice.text)) deltas.push({ type: 'text', index, text: choice.text })
    addLogprobs(deltas, choice.logprobs, index)
  })
}

/**
 * Builds the answer that the service would have sent without streaming.
 * @param chunks Of one answer, in the order received.
 */
export function foldCompletions(chunks: readonly JsonObject[]): JsonObject {
  return foldChoices(chunks, 'text_completion', () => new TextBuilder())
}

class TextBuilder implements ChoiceBuilder {
  readonly #choice: JsonObject = {}

  add(part: JsonObject): void {
    merge(this.#choice, part, keysOfParts)
  }

  build(): JsonObject {
    const { text, logprobs, ...others } = this.#choice
    return { text: text ?? '', logprobs: logprobs ?? null, ...others }
  }
}
