import type { Image, Turn } from '../api/turn.ts'
import { isObject, objectsIn, type Json, type JsonObject } from '../fields/json.ts'
import { textOf } from './message-text.ts'

/** What the user said in a chat message, as it can be said again: in this API family or the other. */
export function saidIn(message: Json): Pick<Turn, 'text' | 'images'> {
  const content = isObject(message) ? message.content : undefined
  if (!Array.isArray(content)) return { text: textOf(message), images: [] }
  const parts = objectsIn(content)
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return { text: texts.join('\n\n'), images: parts.flatMap(imageOf) }
}

function imageOf({ image_url: image }: JsonObject): Image[] {
  const url = isObject(image) ? image.url : undefined
  if (typeof url !== 'string') return []
  const [, mediaType, data] = /^data:([^;,]+);base64,([^]*)$/.exec(url) ?? []
  if (mediaType === undefined || data === undefined) return [{ kind: 'address', url }]
  return [{ kind: 'data', mediaType, data }]
}
