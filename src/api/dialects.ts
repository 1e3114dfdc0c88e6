/** The two API dialects that can hold a conversation (section 1). */

import { isObject, type Json, type JsonObject, objectsIn } from '../io/json/json.ts'
import { contentParts } from './image.ts'
import { textsIn } from './chat/messages.ts'
import { chat } from './chat/operation.ts'
import { fromChat, toChat } from './messages/convert.ts'
import { defaultMaxTokens } from './messages/fields.ts'
import { messages } from './messages/operation.ts'
import type { StreamingOperation } from './operations.ts'

export type DialectName = 'chat' | 'messages'

export interface Dialect {
  readonly operation: StreamingOperation
  /** Whether services refuse two messages of the user, or of the model, in a row. */
  readonly wantsTurns: boolean
  /**
   * The fields of a request for a conversation.
   * @param conversation Chat messages, as in conversation files. They may also have `thinking_blocks` (of an assistant)
   *   and `is_error` (of a tool), which only the messages dialect has.
   */
  toFields(conversation: readonly Json[]): JsonObject
  /**
   * The conversation in the fields of a request, as chat messages, and the other fields.
   * @param fields Their messages may be those of either dialect.
   */
  fromFields(fields: JsonObject): {
    readonly system?: string | undefined
    /** May have any type if the request was not checked. */
    readonly messages: Json | undefined
    readonly others: JsonObject
  }
  /** The value of `tools` in a request. */
  toTools(tools: readonly ToolDefinition[]): JsonObject[]
}

export interface ToolDefinition {
  /** `[A-Za-z0-9_-]`, at most 64. */
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

export const dialects: { readonly [Name in DialectName]: Dialect } = {
  chat: {
    operation: chat,
    wantsTurns: false,
    toFields: (conversation) => ({ messages: conversation.map(withoutMessagesKeys) }),
    fromFields: ({ messages: given, ...others }) => ({ messages: toChatIfArray(given), others }),
    toTools: (tools) => tools.map((tool) => ({ type: 'function', function: definitionOf(tool, 'parameters') })),
  },
  messages: {
    operation: messages,
    wantsTurns: true,
    toFields: (conversation) => ({ max_tokens: defaultMaxTokens, ...fromChat(conversation) }),
    fromFields: ({ messages: given, system, ...others }) => {
      const texts = typeof system === 'string' ? [system] : Array.isArray(system) ? textsIn(system) : undefined
      const unknown = texts === undefined && system !== undefined && { system }
      return { system: texts?.join('\n\n'), messages: toChatIfArray(given), others: { ...others, ...unknown } }
    },
    toTools: (tools) => tools.map((tool) => definitionOf(tool, 'input_schema')),
  },
}

function definitionOf({ name, description, parameters }: ToolDefinition, key: string): JsonObject {
  return { name, ...(description !== undefined && { description }), [key]: { type: 'object', ...parameters } }
}

function toChatIfArray(given: Json | undefined): Json | undefined {
  return Array.isArray(given) ? toChat(given) : given
}

function withoutMessagesKeys(message: Json): Json {
  if (!isObject(message)) return message
  const { thinking_blocks: _thinking, is_error: _error, ...others } = message
  return others
}

const chatRoles = new Set<unknown>(['system', 'developer', 'tool', 'function'])
const messagesBlocks = new Set<unknown>(['image', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'])

/** The dialect of messages; `undefined` when they fit both dialects or contain parts of both. */
export function dialectOf(messages: Json): DialectName | undefined {
  const all = objectsIn(messages)
  const parts = contentParts(messages)
  const isChat =
    all.some(({ role, tool_calls: calls }) => chatRoles.has(role) || calls !== undefined) ||
    parts.some((part) => isObject(part.image_url))
  const isMessages = parts.some(({ type }) => messagesBlocks.has(type))
  if (isChat === isMessages) return undefined
  return isChat ? 'chat' : 'messages'
}
