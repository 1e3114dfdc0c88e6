/** A conversation of chat messages (section 2.1) as the fields of a messages request that hold it (section 2.4). */

import { isObject, objectsIn, type Json, type JsonObject, parseJsonIfValid } from '../../io/json.ts'
import { imageIn, textsIn } from '../chat/messages.ts'
import { sourceOf } from './messages.ts'

interface Conversation {
  readonly system?: Json
  readonly messages: Json[]
}

/** Instructions stand beside the messages here, and results of tools are what the user says. */
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

/** What is no JSON, as when the limit of tokens cut it, stays the text that it is. */
function inputOf(given: Json): Json {
  if (typeof given !== 'string') return given
  if (given.trim() === '') return {}
  return parseJsonIfValid(given, given)
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
  return { ...others, type: 'image', source: sourceOf(image) }
}

function textOf(content: Json | undefined): string {
  return typeof content === 'string' ? content : textsIn(content).join('\n')
}

/** Whether a block says nothing but its text. */
function isPlain(block: JsonObject): boolean {
  return Object.keys(block).every((key) => key === 'type' || key === 'text')
}
