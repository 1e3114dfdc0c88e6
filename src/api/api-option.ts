/** The request of the commands that can use either API: `--api chat` or `--api messages`. */

import type { Fields, LoadShape } from '../fields/field.ts'
import type { RequestVariants } from '../fields/request-variants.ts'
import type { Json } from '../io/json/json.ts'
import { chatFields } from './chat/fields.ts'
import { type DialectName, dialectOf } from './dialects.ts'
import { messagesFields } from './messages/fields.ts'

export const defaultApi = 'chat'

/** The option that chooses the API. */
export const apiOption = { kind: 'text', choices: ['chat', 'messages'], default: defaultApi } as const

/** Every field that has a flag. */
export const requestFields = {
  ...chatFields,
  stop_sequences: { ...messagesFields.stop_sequences, help: 'Same as --stop, for --api messages' },
} as const satisfies Fields

export const requestVariants = {
  option: 'api',
  default: defaultApi,
  variants: {
    chat: { ...chatFields, messages: { ...chatFields.messages, shape: messagesShape('chat') } },
    messages: {
      ...messagesFields,
      messages: { ...messagesFields.messages, shape: messagesShape('messages') },
    },
  },
} as const satisfies RequestVariants

/** Messages of either API are accepted: a conversation may continue with the other one. */
function messagesShape(own: DialectName): LoadShape {
  return async () => {
    const { shapeBy } = await import('../fields/shape.ts')
    const shapes = { chat: await chatFields.messages.shape(), messages: await messagesFields.messages.shape() }
    return shapeBy((value) => shapes[dialectOf(value as Json) ?? own])
  }
}
