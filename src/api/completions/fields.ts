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
    help: 'Text to continue; repeatable, sent in one request',
  },
  echo: { kind: 'boolean', help: 'Return the prompt before its completion' },
  ...samplingFields,
  max_tokens: { ...samplingFields.max_tokens, everyday: true },
  logprobs: { kind: 'number', help: 'Return log probabilities of the N most probable tokens' },
} as const satisfies Fields
