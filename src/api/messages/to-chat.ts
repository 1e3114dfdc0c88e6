/**
 * Messages of section 2.4 in the form of the chat interface (section 2.1), out of which `fromChat` makes the same again.
 * Messages that have this form already stay as they are.
 */

import { isObject, objectsIn, type Json, type JsonObject } from '../../io/json.ts'
import { urlOf } from '../chat/messages.ts'
import { imageIn } from './messages.ts'

export function toChat(messages: readonly Json[]): Json[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message]
    const blocks = objectsIn(message.content)
    if (message.role === 'assistant') return [answer(message, blocks)]
    return message.role === 'user' ? said(message, blocks) : [message]
  })
}

/** Results of tools come before what else the user says. */
function said(message: JsonObject, blocks: readonly JsonObject[]): JsonObject[] {
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  const hasOwn = others.length > 0 || results.length === 0
  return [...results.map(toolMessage), ...(hasOwn ? [{ ...message, content: others.map(partOf) }] : [])]
}

function toolMessage({ type: _type, tool_use_id: id = '', content = '', ...others }: JsonObject): JsonObject {
  return { role: 'tool', tool_call_id: id, content, ...others }
}

function answer(message: JsonObject, blocks: readonly JsonObject[]): JsonObject {
  const thinking = blocks.filter(isThinking)
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const parts = blocks.filter((block) => !isThinking(block) && block.type !== 'tool_use').map(partOf)
  return {
    ...message,
    content: parts.length > 0 ? parts : '',
    ...(thinking.length > 0 && { thinking_blocks: thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  }
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function toolCall({ type: _type, id = '', name = '', input = {}, ...others }: JsonObject): JsonObject {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) }, ...others }
}

function partOf(block: JsonObject): JsonObject {
  const image = imageIn(block)
  if (!image) return block
  const { source: _source, ...others } = block
  return { ...others, type: 'image_url', image_url: { url: urlOf(image) } }
}
