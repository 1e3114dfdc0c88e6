import { isObject, objectsIn, type Json, type JsonObject } from '../../io/json/json.ts'
import type { Image, UserMessage } from '../image.ts'

/** A chat message (section 2.1): its content is a string, or with images an array of parts, text first. */
export function toChatMessage({ role, text, images }: UserMessage): JsonObject {
  if (images.length === 0) return { role, content: text }
  const textPart = text === '' ? [] : [{ type: 'text', text }]
  const imageParts = images.map((image) => ({ type: 'image_url', image_url: { url: image } }))
  return { role, content: [...textPart, ...imageParts] }
}

/** The texts in the content parts of either API dialect. */
export function textsIn(parts: Json | undefined): string[] {
  return objectsIn(parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

/** @returns the image of a content part; `undefined` for other types. */
export function imageIn({ type, image_url: image }: JsonObject): Image | undefined {
  return type === 'image_url' && isObject(image) && typeof image.url === 'string' ? image.url : undefined
}
