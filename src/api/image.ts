/** Images, and what a person says with them, before either takes the form of one API family or the other. */

import { objectsIn, type Json, type JsonObject } from '../io/json.ts'

export type Image =
  /** An address on the internet. */
  | { readonly kind: 'url'; readonly url: string }
  /** `data` is base64. */
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }

export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  readonly images: readonly Image[]
}

/** The parts of the contents of messages (section 2.1), or their blocks (section 2.4); a text has none. */
export function contentParts(messages: Json | undefined): JsonObject[] {
  return objectsIn(messages).flatMap(({ content }) => objectsIn(content))
}

/** Image formats the service accepts (section 2.1). */
export const imageFormats = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/tiff'] as const

/** An address on the internet, or a data URI of one of the accepted formats. */
export function isImageUrl(address: string): boolean {
  if (!address.startsWith('data:')) return /^https?:\/\/\S+$/i.test(address)
  const format = /^data:([^;,]+);base64,[A-Za-z0-9+/]+={0,2}$/.exec(address)?.[1]
  return (imageFormats as readonly string[]).includes(format ?? '')
}
