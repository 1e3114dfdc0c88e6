/** Chat messages (section 2.1): makes that of an answer, and reads any. Damaged fields, and fields of another type, count as empty. */

import { imageIn, textsIn, toChatMessage } from '../api/chat/messages.ts'
import { hasImages, type Image, resultImagesNote, type UserMessage } from '../api/image.ts'
import { type Sources, sourcesText } from '../input/sources.ts'
import { append } from '../io/arrays.ts'
import { isObject, objectsIn, textSize, type Json, type JsonObject } from '../io/json/json.ts'
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

/** Images of results count as a result. */
export function messageRole(message: Json): string {
  return hasResultImages(message) ? 'tool' : isObject(message) ? stringOf(message.role) : ''
}

/** In bytes of base64: the most that a request has of such images. Some services cut off a body of 10 MiB. */
export const maxResultImages = (5 * 1024 * 1024 * 4) / 3

/** Images follow the results: services refuse them in messages of tools, and then each later request (OpenHands #7700). */
export function resultImagesMessage(images: readonly Image[]): JsonObject {
  return { ...toChatMessage({ role: 'user', text: resultImagesNote, images }), name: 'tool_results' }
}

function hasResultImages(message: Json): boolean {
  return isObject(message) && message.name === 'tool_results'
}

/** @returns the last of the turns whose images of results are too many, with those of later turns; -1 if there is none. */
export function oldImages(turns: readonly (readonly Json[])[]): number {
  // With the words beside them.
  let left = maxResultImages + 1000
  return turns.findLastIndex((messages) => (left -= textSize(messages.filter(hasResultImages))) < 0)
}

/** Whether a text has nothing but white space: services refuse it (claude-code #23142), also what only Python takes for such. */
export function isBlank(text: string): boolean {
  return /^[\s\u001c-\u001f\u0085]*$/.test(text)
}

/**
 * Adds the messages of a turn, in either API dialect. Two of one role in a row, which an answer that is left out leaves, become one
 * where the API wants turns.
 * @returns `messages`.
 */
export function addMessages(
  messages: Json[],
  added: readonly Json[],
  to: { wantsTurns?: boolean | undefined },
): Json[] {
  const [last, [first, ...others]] = [messages.at(-1), added]
  const isSame = isObject(first) && isObject(last) && first.role === last.role && first.role !== 'tool'
  if (to.wantsTurns && isSame)
    messages.splice(-1, 1, { ...last, ...first, content: [...partsOf(last.content), ...partsOf(first.content)] })
  else if (first !== undefined) messages.push(first)
  append(messages, others)
  return messages
}

function partsOf(content: Json = []): JsonObject[] {
  if (typeof content !== 'string') return objectsIn(content)
  return isBlank(content) ? [] : [{ type: 'text', text: content }]
}

/** The messages of a turn with the parts of files that go with it, before what the user wrote. */
export function withSources(messages: readonly Json[], turn: Sources | undefined): readonly Json[] {
  const at = messages.findLastIndex((message) => messageRole(message) === 'user')
  const message = messages[at]
  if (!turn?.sources || !isObject(message)) return messages
  const [text, { content }] = [sourcesText(turn), message]
  const isText = typeof content === 'string'
  return messages.with(at, {
    ...message,
    content: isText ? `${text}\n\n${content}` : [...partsOf(text), ...partsOf(content)],
  })
}

/** A message with descriptions in place of its images. */
export function withoutImages(message: Json): Json {
  return isObject(message) && hasImages({ messages: [message] })
    ? { ...message, content: chatMessageText(message) }
    : message
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
