import type { StreamingOperation } from '../operation.ts'
import { createChatDecoder } from './decode.ts'
import { chatFields } from './fields.ts'
import { foldChat } from './fold.ts'
import { holdImages } from './messages.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  method: 'POST',
  path: '/openai/v1/chat/completions',
  fields: chatFields,
  alias: ({ messages }) => (holdImages(messages) ? 'syn:large:vision' : 'syn:large:text'),
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createDecoder: createChatDecoder,
  fold: foldChat,
} as const satisfies StreamingOperation
