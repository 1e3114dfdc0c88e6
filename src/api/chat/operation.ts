import { operations, type StreamingOperation } from '../operations.ts'
import { createChatDecoder, foldChat } from './decode.ts'
import { chatFields } from './fields.ts'
import { contentParts } from '../image.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  ...operations.chat,
  fields: chatFields,
  // Only a vision model can read images.
  alias: ({ messages }) =>
    contentParts(messages).some((part) => 'image_url' in part) ? 'syn:large:vision' : 'syn:large:text',
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createDecoder: createChatDecoder,
  fold: foldChat,
} as const satisfies StreamingOperation
