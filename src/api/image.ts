/** Images and user messages, before they are converted to the format of an API dialect. */

import { objectsIn, type Json, type JsonObject } from '../io/json/json.ts'

/** Its URL: http, https, or `data:FORMAT;base64,DATA`. */
export type Image = string

export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  readonly images: readonly Image[]
}

/** The content parts (section 2.1) or blocks (section 2.4) of messages. Content that is a string has none. */
export function contentParts(messages: Json | undefined): JsonObject[] {
  return objectsIn(messages).flatMap(({ content }) => objectsIn(content))
}

export function hasImages({ messages }: JsonObject): boolean {
  return contentParts(messages).some((part) => 'image_url' in part || part.type === 'image')
}

export const resultImagesNote = 'The images of the results above, which are not from the user:'

/** The request, in either API dialect, without the images of results: the texts of these name them. */
export function withoutResultImages<Request extends JsonObject>(request: Request): Request {
  // What the user wrote may follow them in the same message.
  const isOther = (_: JsonObject, index: number, parts: readonly JsonObject[]): boolean =>
    parts.slice(0, index + 1).findLast(({ text }) => text !== undefined)?.text !== resultImagesNote
  const messages = objectsIn(request.messages).flatMap((message) => {
    const parts = objectsIn(message.content)
    const content = parts.filter(isOther)
    if (content.length === parts.length) return message
    return content.length > 0 ? { ...message, content } : []
  })
  return { ...request, messages }
}

/** The image formats that the service accepts (section 2.1). */
export const imageFormats = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/tiff'] as const

/** Whether a text is an http or https URL, or a data URL of an accepted format. */
export function isImageUrl(url: string): boolean {
  if (!url.startsWith('data:')) return /^https?:\/\/\S+$/i.test(url)
  const format = /^data:([^;,]+);base64,[A-Za-z0-9+/]+={0,2}$/.exec(url)?.[1]
  return (imageFormats as readonly string[]).includes(format ?? '')
}
