/** Chat messages (section 2.1): makes that of an answer, and reads any. Damaged fields, and fields of another type, count as empty. */

import { imageIn, textsIn } from '../api/chat/messages.ts'
import type { UserMessage } from '../api/image.ts'
import { isObject, objectsIn, type Json, type JsonObject } from '../io/json/json.ts'
import type { AnswerChoice, ToolCall } from '../stream/answer.ts'

/** The message of an answer that goes back, with the thinking blocks that the messages API requires with tool calls. */
export function assistantMessage({ text, reasoning, refusal, calls, thinking }: AnswerChoice): JsonObject {
  const message: JsonObject = { role: 'assistant', content: text }
  if (reasoning !== '') message.reasoning_content = reasoning
  if (refusal !== '') message.refusal = refusal
  if (calls.size > 0) {
    if (thinking.size > 0) message.thinking_blocks = [...thinking.values()]
    // The tool's result refers to the id, which some services leave out or give to several calls.
    const ids = new Set<string>()
    const known = new Set<string>()
    const sorted = [...calls].sort(([a], [b]) => a - b)
    message.tool_calls = sorted.flatMap(([number, call]) => {
      const text = JSON.stringify(call)
      // Some services send each call twice.
      if (call.id !== '' && known.has(text)) return []
      known.add(text)
      let id = call.id || `call_${number}`
      while (ids.has(id)) id += `_${number}`
      ids.add(id)
      return [{ id, type: 'function', function: { name: call.name, arguments: call.arguments } }]
    })
  }
  return message
}

export function messageRole(message: Json): string {
  return isObject(message) ? stringOf(message.role) : ''
}

/** The text for display. An image is shown as its URL, or as its media type if the message contains the data. */
export function chatMessageText(message: Json): string {
  if (!isObject(message)) return ''
  const { content, refusal } = message
  if (Array.isArray(content)) return content.map(partText).filter(Boolean).join('\n\n')
  if (typeof content === 'string' && content !== '') return content
  return stringOf(refusal)
}

/** The reasoning of an assistant message. */
export function messageReasoning(message: Json): string {
  return isObject(message) ? stringOf(message.reasoning_content) : ''
}

/** The tool calls of an assistant message. */
export function callsIn(message: Json): ToolCall[] {
  return objectsIn(isObject(message) ? message.tool_calls : undefined).flatMap(({ id, function: called }) => {
    if (!isObject(called)) return []
    return [{ id: stringOf(id), name: stringOf(called.name), arguments: stringOf(called.arguments) }]
  })
}

/** The tool calls of an assistant message, as `name(arguments)`. */
export function messageCalls(message: Json): string[] {
  return callsIn(message).map(({ name, arguments: given }) => `${name}(${given.trim()})`)
}

/** The text and images of a user message, which every API dialect can send. */
export function userContent(message: Json): Pick<UserMessage, 'text' | 'images'> {
  const content = isObject(message) ? message.content : undefined
  if (!Array.isArray(content)) return { text: chatMessageText(message), images: [] }
  return {
    text: textsIn(content).join('\n\n'),
    images: objectsIn(content).flatMap((part) => imageIn(part) ?? []),
  }
}

function partText(part: Json): string {
  if (!isObject(part)) return ''
  if (typeof part.text === 'string') return part.text
  const url = isObject(part.image_url) ? part.image_url.url : undefined
  if (typeof url !== 'string') return ''
  const format = /^data:([^;,]+)/.exec(url)?.[1]
  return `[image: ${format ?? url}]`
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
