import { isNonEmptyText, type Json, type JsonObject } from '../../io/json/json.ts'
import type { Fold } from '../../stream/answer.ts'
import type { ChunkDecoder } from '../../stream/reply-decoder.ts'
import { addReasoning, ChoicesFold, createChoiceDecoder, keysOfParts, merge } from '../choices.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { completionsFields } from './fields.ts'

/** Text completions, sections 2.2 and 4. */
export const completions = {
  ...operations.completions,
  fields: completionsFields,
  alias: () => 'syn:large:text',
  endsAtLimit: true,
  choiceCount: (body) => {
    const { prompts, completions } = countsOf(body)
    return prompts * completions
  },
  createDecoder: createCompletionsDecoder,
  createFold: () => new ChoicesFold('text_completion', () => new CompletionFold()),
} as const satisfies StreamingOperation

export interface Counts {
  readonly prompts: number
  /** Completions of each prompt. */
  readonly completions: number
}

/** The numbers that a request asks for (section 2.2). Its fields may have any type: `--param` is not checked. */
export function countsOf({ prompt, n }: JsonObject): Counts {
  return { prompts: promptCount(prompt), completions: typeof n === 'number' && n > 1 ? n : 1 }
}

/** A list of numbers is one prompt. */
function promptCount(prompt: Json | undefined): number {
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
}

function createCompletionsDecoder(): ChunkDecoder {
  return createChoiceDecoder((deltas, choice, index) => {
    addReasoning(deltas, choice, index)
    if (isNonEmptyText(choice.text)) deltas.push({ type: 'text', index, text: choice.text })
  })
}

class CompletionFold implements Fold {
  readonly #choice: JsonObject = {}

  add(part: JsonObject): void {
    merge(this.#choice, part, keysOfParts)
  }

  build(): JsonObject {
    const { text, logprobs, ...others } = this.#choice
    return { text: text ?? '', logprobs: logprobs ?? null, ...others }
  }
}
