/** The messages request, section 2.4. Its sampling fields have no documented ranges, so chat's rows do not fit. */

import type { Fields } from '../../fields/field.ts'
import type { JsonObject } from '../../io/json/json.ts'
import { chatFields } from '../chat/fields.ts'

function toToolChoice(word: string): string | JsonObject {
  const name = /^tool:(.+)$/s.exec(word)?.[1]
  if (name !== undefined) return { type: 'tool', name }
  return ['auto', 'any', 'none'].includes(word) ? { type: word } : word
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
    everyday: true,
    help: 'Maximum number of tokens, including thinking',
  },
  messages: { ...chatFields.messages, shape: async () => (await import('./shapes.ts')).messageList },
  stream: { kind: 'boolean', default: true, help: 'Stream the answer as it is generated' },
  system: {
    kind: 'texts',
    single: true,
    file: true,
    placeholder: 'TEXT|@FILE',
    item: (text) => ({ type: 'text', text }),
    shape: async () => (await import('./shapes.ts')).systemMessages,
    short: 's',
    everyday: true,
    help: 'System prompt; repeatable',
  },
  stop_sequences: { kind: 'texts', help: 'Stop the answer before this text; repeatable' },
  temperature: { kind: 'number', help: 'Sampling temperature; higher is more random' },
  tool_choice: {
    kind: 'choice or object',
    choices: [],
    words: ['auto', 'any', 'none', 'tool:NAME'],
    fromWord: toToolChoice,
    shape: async () => (await import('./shapes.ts')).messagesToolChoice,
    help: 'Whether to use tools, or tool:NAME to use this one',
  },
  tools: {
    kind: 'array',
    shape: async () => (await import('./shapes.ts')).messagesTools,
    help: 'Tools the model can use, as a JSON array',
  },
  top_k: { kind: 'number', minimum: 0, whole: true, help: 'Sample from the N most probable tokens' },
  top_p: { kind: 'number', help: 'Sample from the most probable tokens, up to this total probability' },
} as const satisfies Fields

const { model, messages, system, tools, ...uncounted } = messagesFields

/** The request that counts tokens: only the fields that tokens are counted in. */
export const countTokensFields = { model, messages, system, tools } as const

/** The other fields of a messages request. */
export const uncountedFields = uncounted
