/** Whether messages have the form of the chat interface (section 2.1) or of the messages interface (section 2.4). */

import { isObject, objectsIn, type Json } from '../io/json.ts'
import type { FamilyName } from './families.ts'

const chatRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'tool', 'function'])
const messagesBlocks: ReadonlySet<unknown> = new Set([
  'image',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
])

/** @returns the interface that alone knows something that stands there; nothing where none does, or each. */
export function formOf(messages: Json): FamilyName | undefined {
  const all = objectsIn(messages)
  const parts = all.flatMap(({ content }) => objectsIn(content))
  const isChat =
    all.some(({ role, tool_calls: calls }) => chatRoles.has(role) || calls !== undefined) ||
    parts.some((part) => isObject(part.image_url))
  const isMessages = parts.some(({ type }) => messagesBlocks.has(type))
  if (isChat === isMessages) return undefined
  return isChat ? 'chat' : 'messages'
}
