import type { StreamingOperation } from '../operation.ts'
import { MessagesDecoder } from './decode.ts'
import { messagesFields } from './fields.ts'
import { foldMessages } from './fold.ts'
import { holdImages } from './messages.ts'

/** Messages, sections 2.4 and 4. */
export const messages = {
  method: 'POST',
  path: '/anthropic/v1/messages',
  // What every client of this family sends; the specification names no header of its own (section 5, note 4).
  headers: { 'anthropic-version': '2023-06-01' },
  fields: messagesFields,
  alias: ({ messages }) => (holdImages(messages) ? 'syn:large:vision' : 'syn:large:text'),
  choiceCount: () => 1,
  createDecoder: () => new MessagesDecoder(),
  fold: foldMessages,
} as const satisfies StreamingOperation
