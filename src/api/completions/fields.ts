/** The text completion request, section 2.2. */

import type { Fields } from '../../fields/field.ts'
import { samplingFields } from '../../fields/sampling.ts'
import { chatFields } from '../chat/fields.ts'

export const completionsFields = {
  model: chatFields.model,
  prompt: {
    kind: 'texts',
    single: true,
    required: true,
    shape: async () => (await import('./shapes.ts')).prompt,
    help: 'Text to continue; repeat for several in one request.',
  },
  echo: { kind: 'boolean', help: 'Give the prompt back before its completion.' },
  ...samplingFields,
  logprobs: { kind: 'number', help: 'Return the log probabilities of the N most likely tokens.' },
} as const satisfies Fields
