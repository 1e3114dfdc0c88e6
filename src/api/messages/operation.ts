import { operations, type StreamingOperation } from '../operations.ts'
import { MessagesDecoder } from './decode.ts'
import { messagesFields } from './fields.ts'
import { foldMessages } from './fold.ts'
import { contentParts } from '../image.ts'

/** Messages, sections 2.4 and 4. */
export const messages = {
  ...operations.messages,
  fields: messagesFields,
  // Only a vision model can read images.
  alias: ({ messages }) =>
    contentParts(messages).some((block) => block.type === 'image') ? 'syn:large:vision' : 'syn:large:text',
  choiceCount: () => 1,
  createDecoder: (withThinking: boolean) => new MessagesDecoder(withThinking),
  fold: foldMessages,
} as const satisfies StreamingOperation
