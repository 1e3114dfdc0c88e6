/** The two families of interface that a conversation can be held in (section 1). */

import { isObject, type Json, type JsonObject, objectsIn } from '../io/json.ts'
import { contentParts } from './image.ts'
import { textsIn } from './chat/messages.ts'
import { chat } from './chat/operation.ts'
import { fromChat, toChat } from './messages/convert.ts'
import { defaultMaxTokens } from './messages/fields.ts'
import { messages } from './messages/operation.ts'
import type { StreamingOperation } from './operations.ts'

export type FamilyName = 'chat' | 'messages'

export interface Family {
  readonly operation: StreamingOperation
  /**
   * The fields of a request that say a conversation.
   * @param conversation In the form of the chat interface, which is how conversations are kept. Beside it messages may
   *   have `thinking_blocks` (of an assistant) and `is_error` (of a tool), which only the messages interface knows.
   */
  write(conversation: readonly Json[]): JsonObject
  /**
   * What the fields of a request say of a conversation, in the same form, and the fields that say nothing of it.
   * @param fields Their messages may have the form of either interface.
   */
  read(fields: JsonObject): Spoken
}

export interface Spoken {
  readonly system?: string | undefined
  /** No array where nobody has checked it. */
  readonly messages: Json | undefined
  readonly others: JsonObject
}

export const families: { readonly [Name in FamilyName]: Family } = {
  chat: {
    operation: chat,
    write: (conversation) => ({ messages: conversation.map(withoutForeign) }),
    read: ({ messages: given, ...others }) => ({ messages: kept(given), others }),
  },
  messages: {
    operation: messages,
    write: (conversation) => ({ max_tokens: defaultMaxTokens, ...fromChat(conversation) }),
    read: ({ messages: given, system, ...others }) => {
      const isText = typeof system === 'string' || Array.isArray(system)
      if (isText) return { system: instructionOf(system), messages: kept(given), others }
      return { messages: kept(given), others: { ...others, ...(system !== undefined && { system }) } }
    },
  },
}

function kept(given: Json | undefined): Json | undefined {
  return Array.isArray(given) ? toChat(given) : given
}

function withoutForeign(message: Json): Json {
  if (!isObject(message)) return message
  const { thinking_blocks: _thinking, is_error: _error, ...others } = message
  return others
}

/** Of several parts one text. */
function instructionOf(system: string | Json[]): string {
  return typeof system === 'string' ? system : textsIn(system).join('\n\n')
}

const chatRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'tool', 'function'])
const messagesBlocks: ReadonlySet<unknown> = new Set([
  'image',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
])

/**
 * Whether messages are those of the chat interface (section 2.1) or of the messages interface (section 2.4).
 * @returns the one that alone knows something in them; nothing where neither does, or both do.
 */
export function familyOf(messages: Json): FamilyName | undefined {
  const all = objectsIn(messages)
  const parts = contentParts(messages)
  const isChat =
    all.some(({ role, tool_calls: calls }) => chatRoles.has(role) || calls !== undefined) ||
    parts.some((part) => isObject(part.image_url))
  const isMessages = parts.some(({ type }) => messagesBlocks.has(type))
  if (isChat === isMessages) return undefined
  return isChat ? 'chat' : 'messages'
}
