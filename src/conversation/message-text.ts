/** What a chat message says, for people to read. */

import { isObject, type Json } from '../io/json.ts'

/** Its text; a picture is told of by its address, or its format when the message holds it. */
export function textOf(message: Json): string {
  if (!isObject(message)) return ''
  const { content, refusal } = message
  if (Array.isArray(content)) return content.map(partText).filter(Boolean).join('\n\n')
  if (typeof content === 'string' && content !== '') return content
  return stringOf(refusal)
}

/** The calls of an assistant's message, as `name(arguments)`. */
export function callsOf(message: Json): string[] {
  const calls = isObject(message) ? message.tool_calls : undefined
  if (!Array.isArray(calls)) return []
  return calls.filter(isObject).flatMap(({ function: called }) => {
    if (!isObject(called)) return []
    return [`${stringOf(called.name)}(${stringOf(called.arguments).trim()})`]
  })
}

export function roleOf(message: Json): string {
  return isObject(message) ? stringOf(message.role) : ''
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function partText(part: Json): string {
  if (!isObject(part)) return ''
  if (typeof part.text === 'string') return part.text
  const url = isObject(part.image_url) ? part.image_url.url : undefined
  if (typeof url !== 'string') return ''
  const format = /^data:([^;,]+)/.exec(url)?.[1]
  return `[image: ${format ?? url}]`
}
