/** A part of a conversation as a person gives it, before it takes the form of one API family or the other. */

export type Image =
  /** An address on the internet. */
  | { readonly kind: 'address'; readonly url: string }
  /** `data` is base64. */
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }

export interface Turn {
  readonly role: 'user'
  readonly text: string
  readonly images: readonly Image[]
}
