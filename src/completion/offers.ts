/** What the value of a flag, or an argument, is completed with. */

import type { Argument } from '../command.ts'
import { flagOf, type Completes, type Field } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import type { GlobalValues } from '../fields/global-options.ts'

/** Lists that only the program knows, and prints for the scripts: `syn completion models`. */
export const nameLists = ['models', 'embedding-models', 'profiles', 'conversations'] as const
export type NameList = (typeof nameLists)[number]

export function isNameList(word: string): word is NameList {
  return (nameLists as readonly string[]).includes(word)
}

/** Options that decide what stands in the lists; a script passes them on. */
export const decisiveFlags = (['profile', 'baseUrl', 'sandbox'] as const satisfies (keyof GlobalValues)[]).map(flagOf)

export type Offer =
  /** One that ends in a colon is a beginning, which is typed on. */
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'names'; readonly list: NameList }
  | { readonly kind: 'path' }
  | { readonly kind: 'path after @' }

/** Nothing is offered for free text and numbers. */
export function offersOf(row: Field): Offer[] {
  const kind = kindOf(row)
  const names = [...(row.completes ? [row.completes] : []), ...(kind.completes?.(row) ?? [])]
  // `tool:NAME` is offered as far as it is fixed.
  const words = (kind.words?.(row) ?? []).map((text) => word(text.replace(/:[A-Z]+$/, ':')))
  return [...words, ...names.flatMap((name) => completions[name])]
}

export function argumentOffers({ choices = [], completes }: Argument): Offer[] {
  return [...choices.map(word), ...(completes ? completions[completes] : [])]
}

/** How scripts write an offer: angle brackets part the lists and paths from words. */
export function markOf(offer: Offer): string {
  switch (offer.kind) {
    case 'word':
      return offer.word
    case 'names':
      return `<${offer.list}>`
    case 'path':
      return '<path>'
    case 'path after @':
      return '<@path>'
  }
}

const completions: Readonly<Record<Completes, readonly Offer[]>> = {
  file: [{ kind: 'path' }],
  '@file': [{ kind: 'path after @' }],
  'generating model': [{ kind: 'names', list: 'models' }],
  'embedding model': [{ kind: 'names', list: 'embedding-models' }],
  model: [
    { kind: 'names', list: 'models' },
    { kind: 'names', list: 'embedding-models' },
  ],
  profile: [{ kind: 'names', list: 'profiles' }],
  conversation: [{ kind: 'names', list: 'conversations' }],
}

function word(text: string): Offer {
  return { kind: 'word', word: text }
}
