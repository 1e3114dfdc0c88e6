/** A conversation of chat messages as the messages request that is counted: the services count in no other form. */

import { toMessage } from '../api/messages/messages.ts'
import type { Image } from '../api/turn.ts'
import { isObject, objectsIn, type Json, type JsonObject } from '../fields/json.ts'
import { callsOf, roleOf, textOf } from '../transcript/message-text.ts'

/** What only the other form has, such as calls of tools, counts as its text. */
export function countableOf(messages: readonly Json[]): { system?: string; messages: Json[] } {
  const [first, ...rest] = messages
  const hasSystem = first !== undefined && roleOf(first) === 'system'
  return {
    ...(hasSystem && { system: textOf(first) }),
    messages: (hasSystem ? rest : messages).map(converted),
  }
}

function converted(message: Json): JsonObject {
  if (roleOf(message) !== 'user') {
    return { role: 'assistant', content: [textOf(message), ...callsOf(message)].filter(Boolean).join('\n') }
  }
  const content = isObject(message) ? message.content : undefined
  const parts = objectsIn(content)
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  const text = Array.isArray(content) ? texts.join('\n\n') : textOf(message)
  return toMessage({ role: 'user', text, images: parts.flatMap(imageOf) })
}

function imageOf({ image_url: image }: JsonObject): Image[] {
  const url = isObject(image) ? image.url : undefined
  if (typeof url !== 'string') return []
  const [, mediaType, data] = /^data:([^;,]+);base64,([^]*)$/.exec(url) ?? []
  if (mediaType === undefined || data === undefined) return [{ kind: 'address', url }]
  return [{ kind: 'data', mediaType, data }]
}
