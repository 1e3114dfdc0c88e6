import { isObject, objectsIn, type Json, type JsonObject } from '../../io/json.ts'
import type { Image, UserMessage } from '../image.ts'

/** Turns as the messages of section 2.1: text alone as a string, with images an array, text first. */
export function toChatMessage({ role, text, images }: UserMessage): JsonObject {
  if (images.length === 0) return { role, content: text }
  const textPart = text === '' ? [] : [{ type: 'text', text }]
  const imageParts = images.map((image) => ({ type: 'image_url', image_url: { url: imageUrl(image) } }))
  return { role, content: [...textPart, ...imageParts] }
}

/** The texts among the parts of a content, in the form of either interface. */
export function textsIn(parts: Json | undefined): string[] {
  return objectsIn(parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

/** @returns the image of a content part; nothing for a part of another type. */
export function imageIn({ type, image_url: image }: JsonObject): Image | undefined {
  const url = type === 'image_url' && isObject(image) ? image.url : undefined
  if (typeof url !== 'string') return undefined
  const [, mediaType, data] = /^data:([^;,]+);base64,([^]*)$/.exec(url) ?? []
  if (mediaType === undefined || data === undefined) return { kind: 'url', url }
  return { kind: 'data', mediaType, data }
}

/** As `image_url` holds it. */
export function imageUrl(image: Image): string {
  return image.kind === 'url' ? image.url : `data:${image.mediaType};base64,${image.data}`
}
