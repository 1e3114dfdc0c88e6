/** The messages request, section 2.4. Its sampling fields have no documented ranges, so chat's rows don't fit. */

import type { Fields } from '../../fields/field.ts'
import type { JsonObject } from '../../io/json.ts'
import { chatFields } from '../chat/fields.ts'

function toToolChoice(word: string): string | JsonObject {
  const name = /^tool:(.+)$/s.exec(word)?.[1]
  if (name !== undefined) return { type: 'tool', name }
  return ['auto', 'any', 'none'].includes(word) ? { type: word } : word
}

function toSystemMessage(text: string): JsonObject {
  return { type: 'text', text }
}

/** The default of `max_tokens`, which the request must have. */
export const defaultMaxTokens = 8192

export const messagesFields = {
  model: chatFields.model,
  max_tokens: {
    kind: 'number',
    minimum: 0,
    whole: true,
    required: true,
    default: defaultMaxTokens,
    help: 'Longest answer in tokens, thinking included.',
  },
  messages: {
    kind: 'document',
    required: true,
    placeholder: 'FILE',
    shape: async () => (await import('./shapes.ts')).messages,
    help: 'Conversation placed before the prompt: a file with a JSON array or JSONL, or - for standard input.',
  },
  stream: { kind: 'boolean', default: true, help: 'Send the answer as it is generated.' },
  system: {
    kind: 'texts',
    single: true,
    file: true,
    placeholder: 'TEXT|@FILE',
    item: toSystemMessage,
    shape: async () => (await import('./shapes.ts')).system,
    short: 's',
    everyday: true,
    help: 'Instruction for the whole conversation; repeat for several.',
  },
  stop_sequences: { kind: 'texts', help: 'End the answer before this text; repeat for several.' },
  temperature: { kind: 'number', help: 'Higher is more random.' },
  tool_choice: {
    kind: 'choice or object',
    choices: [],
    words: ['auto', 'any', 'none', 'tool:NAME'],
    fromWord: toToolChoice,
    shape: async () => (await import('./shapes.ts')).toolChoice,
    help: 'Whether to use tools: auto, any, none or tool:NAME.',
  },
  tools: {
    kind: 'array',
    shape: async () => (await import('./shapes.ts')).tools,
    help: 'Tools the model may use, as a JSON array.',
  },
  top_k: { kind: 'number', minimum: 0, whole: true, help: 'Choose among the K most probable tokens.' },
  top_p: { kind: 'number', help: 'Choose among the tokens that hold this much probability.' },
} as const satisfies Fields

const { model, messages, system, tools, ...uncounted } = messagesFields

/** The request that counts tokens: only the fields that tokens are counted in. */
export const countTokensFields = { model, messages, system, tools }

/** The other fields of a messages request. */
export const uncountedFields = uncounted
