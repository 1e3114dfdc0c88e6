/** Converts conversations between chat messages (section 2.1) and messages requests (section 2.4). */

import { isObject, type Json, type JsonObject, objectsIn } from '../../io/json/json.ts'
import { parseJsonIfValid } from '../../io/json/parse.ts'
import { imageIn, textsIn, toChatMessage } from '../chat/messages.ts'
import type { Image, UserMessage } from '../image.ts'
import { append } from '../../io/arrays.ts'

/**
 * Converts chat messages to the fields of a messages request. There the system prompt is a field of its own, and tool
 * results are content of user messages.
 */
export function fromChat(messages: readonly Json[]): { system?: Json; messages: Json[] } {
  const system = objectsIn([...messages])
    .filter(isInstruction)
    .flatMap(({ content }) => blocksOf(content))
  const converted: Json[] = []
  for (const message of messages) {
    if (!isObject(message)) converted.push(message)
    else if (message.role === 'assistant') converted.push({ role: 'assistant', content: answerContent(message) })
    else if (message.role === 'tool') addUser(converted, [toolResult(message)])
    else if (!isInstruction(message)) addUser(converted, message.content)
  }
  const [only] = system
  if (only === undefined) return { messages: converted }
  return { system: system.length === 1 && isPlain(only) ? (only.text ?? '') : system, messages: converted }
}

/** A message of section 2.4: its content is a string, or with images an array of blocks, text first. */
export function toMessage(turn: UserMessage): JsonObject {
  return { role: turn.role, content: contentOf(toChatMessage(turn).content) }
}

function isInstruction({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

/** The results of all calls of one answer go into one message, and so does a user message after them. */
function addUser(converted: Json[], content: Json | undefined): void {
  const results = resultsAtEnd(converted)
  if (results) append(results, blocksOf(content))
  else converted.push({ role: 'user', content: contentOf(content) })
}

function resultsAtEnd(converted: readonly Json[]): Json[] | undefined {
  const last = converted.at(-1)
  const content = isObject(last) && last.role === 'user' ? last.content : undefined
  if (!Array.isArray(content) || content.length === 0) return undefined
  return content.every((block) => isObject(block) && block.type === 'tool_result') ? content : undefined
}

function toolResult({ role: _role, name: _name, tool_call_id: id = '', content, ...others }: JsonObject): JsonObject {
  return { type: 'tool_result', tool_use_id: id, content: joinedText(content), ...others }
}

/** Thinking blocks come first, then text, then tool calls. */
function answerContent({ content, thinking_blocks: thinking, tool_calls: calls }: JsonObject): Json {
  const [before, after] = [objectsIn(thinking), objectsIn(calls).map(toolUse)]
  if (before.length + after.length === 0) return contentOf(content)
  return [...before, ...blocksOf(content), ...after]
}

function toolUse({ id = '', type: _type, function: called, ...others }: JsonObject): JsonObject {
  const { name = '', arguments: given = '' } = isObject(called) ? called : {}
  return { type: 'tool_use', id, name, input: inputOf(given), ...others }
}

function inputOf(given: Json): Json {
  if (typeof given !== 'string') return given
  return given.trim() === '' ? {} : parseJsonIfValid(given, given)
}

/** A string stays a string. */
function contentOf(content: Json | undefined): Json {
  return Array.isArray(content) ? blocksOf(content) : joinedText(content)
}

function blocksOf(content: Json | undefined): JsonObject[] {
  if (Array.isArray(content)) return objectsIn(content).map(blockOf)
  const text = joinedText(content)
  return text === '' ? [] : [{ type: 'text', text }]
}

function blockOf(part: JsonObject): JsonObject {
  const image = imageIn(part)
  if (image === undefined) return part
  const { image_url: _address, ...others } = part
  return { ...others, type: 'image', source: imageSource(image) }
}

function imageSource(image: Image): JsonObject {
  const [, mediaType, data] = /^data:([^;,]+);base64,([^]*)$/.exec(image) ?? []
  if (mediaType === undefined || data === undefined) return { type: 'url', url: image }
  return { type: 'base64', media_type: mediaType, data }
}

function joinedText(content: Json | undefined): string {
  return typeof content === 'string' ? content : textsIn(content).join('\n')
}

/** Whether a block has no keys but its text. */
function isPlain(block: JsonObject): boolean {
  return Object.keys(block).every((key) => key === 'type' || key === 'text')
}

/**
 * Converts messages of section 2.4 to chat messages (section 2.1); `fromChat` restores them exactly. Chat messages are
 * returned unchanged.
 */
export function toChat(messages: readonly Json[]): Json[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message]
    const blocks = objectsIn(message.content)
    if (message.role === 'assistant') return [assistantMessage(message, blocks)]
    return message.role === 'user' ? userMessages(message, blocks) : [message]
  })
}

/** Tool results come before the rest of the user's message. */
function userMessages(message: JsonObject, blocks: readonly JsonObject[]): JsonObject[] {
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  const hasOwn = others.length > 0 || results.length === 0
  return [...results.map(toolMessage), ...(hasOwn ? [{ ...message, content: others.map(partOf) }] : [])]
}

function toolMessage({ type: _type, tool_use_id: id = '', content = '', ...others }: JsonObject): JsonObject {
  return { role: 'tool', tool_call_id: id, content, ...others }
}

function assistantMessage(message: JsonObject, blocks: readonly JsonObject[]): JsonObject {
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
  const { source, ...others } = block
  const image = block.type === 'image' && isObject(source) ? imageAt(source) : undefined
  return image === undefined ? block : { ...others, type: 'image_url', image_url: { url: image } }
}

function imageAt({ url, media_type: mediaType, data }: JsonObject): Image | undefined {
  if (typeof url === 'string') return url
  return typeof mediaType === 'string' && typeof data === 'string' ? `data:${mediaType};base64,${data}` : undefined
}
