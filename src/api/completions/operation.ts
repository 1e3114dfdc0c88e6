import type { Json, JsonObject } from '../../io/json/json.ts'
import { addTexts, type ChoiceAccumulator, ChoicesAccumulator, choiceText, keysOfParts, merge } from '../choices.ts'
import { aliasFor } from '../models.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { completionsFields } from './fields.ts'

/** Text completions, sections 2.2 and 4. */
export const completions = {
  ...operations.completions,
  fields: completionsFields,
  alias: aliasFor,
  endsAtLimit: true,
  choiceCount: (body) => {
    const { prompts, completions } = countsOf(body)
    return prompts * completions
  },
  createAccumulator: (keepsJson) => new ChoicesAccumulator('text_completion', completionChoice, keepsJson),
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

function completionChoice(index: number, keepsJson: boolean): ChoiceAccumulator {
  const kept: JsonObject = {}
  return {
    add(deltas, part, exact) {
      if (keepsJson) merge(kept, exact(), keysOfParts)
      addTexts(deltas, part, index)
    },
    build() {
      const { text, logprobs, ...others } = kept
      return { text: text ?? choiceText(others), logprobs: logprobs ?? null, ...others }
    },
  }
}
