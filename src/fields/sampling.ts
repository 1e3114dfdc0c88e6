/** Specs whose rules are the same for chat completions (section 2.1) and text completions (section 2.2). */

import type { Fields } from './field.ts'
import { specifiedEfforts } from './model-facts.ts'

export const samplingFields = {
  frequency_penalty: {
    kind: 'number',
    minimum: -2,
    maximum: 2,
    help: 'Penalty for each time a token was used; above 0, less repetition',
  },
  logit_bias: {
    kind: 'object',
    values: { minimum: -100, maximum: 100 },
    help: 'Bias from -100 to 100 for each token ID',
  },
  max_completion_tokens: {
    kind: 'number',
    minimum: 0,
    whole: true,
    help: 'Maximum number of tokens, including reasoning',
  },
  max_tokens: { kind: 'number', minimum: 0, whole: true, help: 'Maximum number of tokens in the answer' },
  min_p: { kind: 'number', help: 'Ignore tokens less probable than this' },
  n: { kind: 'number', minimum: 1, whole: true, default: 1, help: 'Number of answers to generate' },
  presence_penalty: {
    kind: 'number',
    minimum: -2,
    maximum: 2,
    help: 'Penalty for tokens already used; above 0, more new topics',
  },
  reasoning_effort: {
    kind: 'text',
    placeholder: `${specifiedEfforts.join('|')}|…`,
    completes: 'reasoning effort',
    help: 'How much the model reasons before it answers; models may take other words, see syn models',
  },
  stop: { kind: 'texts', single: true, help: 'Stop the answer before this text; repeatable' },
  stream: { kind: 'boolean', default: true, help: 'Stream the answer as it is generated' },
  stream_options: { kind: 'object', help: 'Options for streaming, such as {"include_usage":true}' },
  temperature: { kind: 'number', minimum: 0, maximum: 2, help: 'Sampling temperature; higher is more random' },
  top_k: { kind: 'number', minimum: 0, whole: true, help: 'Sample from the N most probable tokens' },
  top_p: {
    kind: 'number',
    minimum: 0,
    maximum: 1,
    help: 'Sample from the most probable tokens, up to this total probability',
  },
  user: { kind: 'text', help: 'ID of your end user, passed to the service' },
} as const satisfies Fields
