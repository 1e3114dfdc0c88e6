/** A conversation from chat messages (section 2.1) to a messages request (section 2.4), and back. */

import { isObject, parseJsonIfValid, type Json, type JsonObject, objectsIn } from '../../io/json.ts'
import { imageIn, textsIn, imageUrl } from '../chat/messages.ts'
import { imageInBlock, imageSource } from './messages.ts'

interface Conversation {
  readonly system?: Json
  readonly messages: Json[]
}

/**
 * Chat messages as the fields of a messages request that hold them. Instructions stand beside the messages here, and
 * results of tools are what the user says.
 */
export function fromChat(messages: readonly Json[]): Conversation {
  const system = objectsIn([...messages])
    .filter(isInstruction)
    .flatMap(({ content }) => blocksOf(content))
  const converted: Json[] = []
  for (const message of messages) {
    if (!isObject(message)) converted.push(message)
    else if (message.role === 'assistant') converted.push({ role: 'assistant', content: answerContent(message) })
    else if (message.role === 'tool') addResult(converted, toolResult(message))
    else if (!isInstruction(message)) addUser(converted, message.content)
  }
  const [only] = system
  if (only === undefined) return { messages: converted }
  return { system: system.length === 1 && isPlain(only) ? (only.text ?? '') : system, messages: converted }
}

function isInstruction({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

/** All results of one answer's calls are one message. */
function addResult(converted: Json[], result: JsonObject): void {
  const results = resultsAtEnd(converted)
  if (results) results.push(result)
  else converted.push({ role: 'user', content: [result] })
}

/** What is said along with the results of tools is part of their message. */
function addUser(converted: Json[], content: Json | undefined): void {
  const results = resultsAtEnd(converted)
  if (results) results.push(...blocksOf(content))
  else converted.push({ role: 'user', content: contentOf(content) })
}

function resultsAtEnd(converted: readonly Json[]): Json[] | undefined {
  const last = converted.at(-1)
  const content = isObject(last) && last.role === 'user' ? last.content : undefined
  if (!Array.isArray(content) || content.length === 0) return undefined
  return content.every((block) => isObject(block) && block.type === 'tool_result') ? content : undefined
}

function toolResult({ role: _role, name: _name, tool_call_id: id = '', content, ...others }: JsonObject): JsonObject {
  return { type: 'tool_result', tool_use_id: id, content: textOf(content), ...others }
}

/** Thinking comes first: it led to what follows. */
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

/** A text stays one. */
function contentOf(content: Json | undefined): Json {
  return Array.isArray(content) ? blocksOf(content) : textOf(content)
}

function blocksOf(content: Json | undefined): JsonObject[] {
  if (Array.isArray(content)) return objectsIn(content).map(blockOf)
  const text = textOf(content)
  return text === '' ? [] : [{ type: 'text', text }]
}

function blockOf(part: JsonObject): JsonObject {
  const image = imageIn(part)
  if (!image) return part
  const { image_url: _address, ...others } = part
  return { ...others, type: 'image', source: imageSource(image) }
}

function textOf(content: Json | undefined): string {
  return typeof content === 'string' ? content : textsIn(content).join('\n')
}

/** Whether a block says nothing but its text. */
function isPlain(block: JsonObject): boolean {
  return Object.keys(block).every((key) => key === 'type' || key === 'text')
}

/**
 * Messages of section 2.4 as chat messages (section 2.1), out of which `fromChat` makes the same again. What are chat
 * messages already stay as they are.
 */
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
  const image = imageInBlock(block)
  if (!image) return block
  const { source: _source, ...others } = block
  return { ...others, type: 'image_url', image_url: { url: imageUrl(image) } }
}
