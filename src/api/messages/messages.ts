import { isObject, type JsonObject } from '../../io/json/json.ts'
import type { Image, UserMessage } from '../image.ts'

/** A message of section 2.4: its content is a string, or with images an array of blocks, text first. */
export function toMessage({ role, text, images }: UserMessage): JsonObject {
  if (images.length === 0) return { role, content: text }
  const textBlock = text === '' ? [] : [{ type: 'text', text }]
  return { role, content: [...textBlock, ...images.map((image) => ({ type: 'image', source: imageSource(image) }))] }
}

/** @returns the image of a content block; `undefined` for other types. */
export function imageInBlock({ type, source }: JsonObject): Image | undefined {
  if (type !== 'image' || !isObject(source)) return undefined
  const { url, media_type: mediaType, data } = source
  if (typeof url === 'string') return { kind: 'url', url }
  return typeof mediaType === 'string' && typeof data === 'string' ? { kind: 'data', mediaType, data } : undefined
}

/** The `source` of an image block. */
export function imageSource(image: Image): JsonObject {
  return image.kind === 'url'
    ? { type: 'url', url: image.url }
    : { type: 'base64', media_type: image.mediaType, data: image.data }
}
