/** Searches the texts of a conversation. */

import { normalize } from '../io/normalize.ts'
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

/** Ignores case, and matches whitespace with any other whitespace. */
export function searchPattern(text: string): RegExp {
  const words = normalize(text.trim()).split(/\s+/)
  return new RegExp(words.map(escapeForPattern).join('\\s+'), 'iu')
}

/** With the u flag, escaping any other character (such as a hyphen) is an error. */
function escapeForPattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Searches all branches. At most one hit per message. */
export function searchConversation({ name, nodes }: Conversation, pattern: RegExp): SearchHit[] {
  const named = name === undefined ? [] : [{ role: 'name', text: name }]
  return [...named, ...transcriptLines(nodes)].flatMap(({ role, text: original }) => {
    // So that composed and decomposed letters match.
    const text = normalize(original)
    const found = pattern.exec(text)
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
