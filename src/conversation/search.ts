/** Searches the texts of a conversation. */

import { normalize } from '../io/text/normalize.ts'
import type { Conversation } from './conversation.ts'
import { transcriptLines } from './transcript.ts'

export interface SearchHit {
  /** The role of the message; `name` for the conversation's name. */
  readonly role: string
  /** The text found and some context, on one line. */
  readonly text: string
}

/** Characters shown before and after a match. */
const context = { before: 30, after: 120 }

type SearchWords = ReturnType<typeof searchWords>

/** The words to be found, in any order. Case is ignored. */
export function searchWords(text: string) {
  // With the u flag, escaping any other character (such as a hyphen) is an error.
  const escaped = normalize(text.trim()).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const words = escaped.split(/\s+/)
  return { each: words.map((word) => new RegExp(word, 'iu')), any: new RegExp(words.join('|'), 'iu') }
}

/**
 * Searches all branches for a conversation that has all the words.
 * @returns the messages that have all of them; if there are none, those that have any. At most one hit per message.
 */
export function searchConversation({ name, nodes }: Conversation, { each, any }: SearchWords): SearchHit[] {
  const named = name === undefined ? [] : [{ role: 'name', text: name }]
  // So that composed and decomposed letters match.
  const lines = [...named, ...transcriptLines(nodes)].map(({ role, text }) => ({ role, text: normalize(text) }))
  if (!each.every((word) => lines.some(({ text }) => word.test(text)))) return []
  const whole = lines.filter(({ text }) => each.every((word) => word.test(text)))
  return (whole.length > 0 ? whole : lines).flatMap(({ role, text }) => {
    const found = any.exec(text)
    return found ? [{ role, text: snippet(text, found.index, found[0].length) }] : []
  })
}

/** Cut between words if possible. */
function snippet(text: string, index: number, length: number): string {
  const from = Math.max(0, index - context.before)
  const to = Math.min(text.length, index + length + context.after)
  const before = text.slice(from, index)
  const after = text.slice(index + length, to)
  const shown = [
    from > 0 ? `…${before.replace(/^\S*\s+/, '')}` : before,
    text.slice(index, index + length),
    to < text.length ? `${after.replace(/\s+\S*$/, '')}…` : after,
  ]
  return shown.join('').replace(/\s+/g, ' ').trim().toWellFormed()
}
