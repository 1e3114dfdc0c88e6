/** The chat completion request, section 2.1. */

import type { Fields } from '../../fields/field.ts'
import { samplingFields } from '../../fields/sampling.ts'
import type { JsonObject } from '../../io/json/json.ts'

function toToolChoice(word: string): string | JsonObject {
  const name = /^tool:(.+)$/s.exec(word)?.[1]
  return name === undefined ? word : { type: 'function', function: { name } }
}

export const chatFields = {
  messages: {
    kind: 'document',
    required: true,
    shape: async () => (await import('./shapes.ts')).chatMessages,
    help: 'Messages to send before the prompt, as a JSON array or JSON Lines',
  },
  model: {
    kind: 'model',
    required: true,
    short: 'm',
    everyday: true,
    help: 'Model: hf:NAME, or an alias such as syn:small:text',
  },
  ...samplingFields,
  logprobs: { kind: 'boolean or number', help: 'Return log probabilities of the tokens' },
  parallel_tool_calls: { kind: 'boolean', help: 'Let the model call several tools at once' },
  response_format: {
    kind: 'object',
    shape: async () => (await import('./shapes.ts')).responseFormat,
    help: 'Format of the answer; see also --schema and --json-object',
  },
  seed: { kind: 'number', help: 'Seed for reproducible answers' },
  tool_choice: {
    kind: 'choice or object',
    choices: ['auto', 'none'],
    words: ['auto', 'none', 'tool:NAME'],
    fromWord: toToolChoice,
    shape: async () => (await import('./shapes.ts')).chatToolChoice,
    help: 'Whether to call tools, or tool:NAME to call this one',
  },
  tools: {
    kind: 'array',
    shape: async () => (await import('./shapes.ts')).chatTools,
    help: 'Tools the model can call, as a JSON array',
  },
  top_logprobs: { kind: 'number', minimum: 0, whole: true, help: 'Number of alternatives to return for each token' },
  function_call: {
    kind: 'choice or object',
    choices: ['auto', 'none'],
    words: ['auto', 'none'],
    shape: async () => (await import('./shapes.ts')).namedObject,
    deprecated: '--tool-choice',
    help: 'Whether to call functions',
  },
  functions: {
    kind: 'array',
    shape: async () => (await import('./shapes.ts')).functions,
    deprecated: '--tools',
    help: 'Functions the model can call, as a JSON array',
  },
} as const satisfies Fields
