import type { StreamingOperation } from '../operation.ts'
import { countsOf } from './counts.ts'
import { createCompletionsDecoder } from './decode.ts'
import { completionsFields } from './fields.ts'
import { foldCompletions } from './fold.ts'

/** Text completions, sections 2.2 and 4. */
export const completions = {
  method: 'POST',
  path: '/openai/v1/completions',
  fields: completionsFields,
  alias: () => 'syn:large:text',
  choiceCount: (body) => {
    const { prompts, completions } = countsOf(body)
    return prompts * completions
  },
  createDecoder: createCompletionsDecoder,
  fold: foldCompletions,
} as const satisfies StreamingOperation
