/** Decodes text completion chunks (section 2.2) to deltas, and folds them to the whole answer. */

import { isNonEmptyText, isObject, type Json, type JsonObject } from '../../io/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import type { TokenProbability } from '../../stream/delta.ts'
import { createChoiceDecoder, decodeReasoning, foldChoices, type ChoiceBuilder, merge } from '../choices.ts'

export function createCompletionsDecoder(): Decoder {
  return createChoiceDecoder((choice, index) => {
    const deltas = decodeReasoning(choice, index)
    if (isNonEmptyText(choice.text)) deltas.push({ type: 'text', index, text: choice.text })
    const tokens = decodeLogprobs(choice.logprobs)
    if (tokens.length > 0) deltas.push({ type: 'logprobs', index, tokens })
    return deltas
  })
}

/** `{"tokens":["Hi"],"token_logprobs":[-0.1],…}`: parallel lists. With `echo` the first probability is null. */
function decodeLogprobs(logprobs: Json | undefined): TokenProbability[] {
  if (!isObject(logprobs) || !Array.isArray(logprobs.tokens)) return []
  const { tokens, token_logprobs: probabilities } = logprobs
  return tokens.flatMap((token, position) => {
    const logprob = Array.isArray(probabilities) ? probabilities[position] : undefined
    return typeof token === 'string' ? [{ token, logprob: typeof logprob === 'number' ? logprob : undefined }] : []
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
    merge(this.#choice, part)
  }

  build(): JsonObject {
    const { text, logprobs, ...others } = this.#choice
    return { text: text ?? '', logprobs: logprobs ?? null, ...others }
  }
}
