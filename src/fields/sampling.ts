/** Rows whose rules are the same for chat completions (section 2.1) and text completions (section 2.2). */

import type { Fields } from './field.ts'

export const samplingFields = {
  frequency_penalty: {
    kind: 'number',
    minimum: -2,
    maximum: 2,
    help: 'Above 0, words already used become less likely.',
  },
  logit_bias: {
    kind: 'object',
    values: { minimum: -100, maximum: 100 },
    help: 'Token ids with a bias from -100 to 100 each.',
  },
  max_completion_tokens: {
    kind: 'number',
    minimum: 0,
    whole: true,
    help: 'Longest completion in tokens, reasoning included.',
  },
  max_tokens: { kind: 'number', minimum: 0, whole: true, help: 'Longest answer in tokens.' },
  min_p: { kind: 'number', help: 'Leave out tokens less probable than this.' },
  n: { kind: 'number', minimum: 1, whole: true, default: 1, help: 'How many answers to generate.' },
  presence_penalty: { kind: 'number', minimum: -2, maximum: 2, help: 'Above 0, new topics become more likely.' },
  reasoning_effort: {
    kind: 'text',
    choices: ['low', 'medium', 'high'],
    help: 'How much a thinking model thinks.',
  },
  stop: { kind: 'texts', single: true, help: 'End the answer before this text; repeat for several.' },
  stream: { kind: 'boolean', default: true, help: 'Send the answer as it is generated.' },
  stream_options: { kind: 'object', help: 'Options of a streamed answer.' },
  temperature: { kind: 'number', minimum: 0, maximum: 2, help: 'Higher is more random.' },
  top_k: { kind: 'number', minimum: 0, whole: true, help: 'Choose among the K most probable tokens.' },
  top_p: { kind: 'number', minimum: 0, maximum: 1, help: 'Choose among the tokens that hold this much probability.' },
  user: { kind: 'text', help: 'Identifier of the end user.' },
} as const satisfies Fields
