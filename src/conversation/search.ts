/** Searches the text of a conversation. */

import type { Conversation } from './conversation.ts'
import { transcriptOf } from './transcript.ts'

export interface SearchHit {
  /** The role of the message; `name` for the conversation's name. */
  readonly role: string
  /** The text found and some context, on one line. */
  readonly text: string
}

/** Context shown before and after a hit, in characters. */
const context = { before: 30, after: 120 }

/** A pattern for the text: case does not matter, and any white space matches any other. */
export function patternOf(text: string): RegExp {
  const words = text.trim().normalize('NFC').split(/\s+/)
  return new RegExp(words.map(escapeForPattern).join('\\s+'), 'iu')
}

/** With the flag u, escaping any other character (such as a hyphen) is an error. */
function escapeForPattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** At most one hit per message, on all branches. */
export function searchConversation({ name, nodes }: Conversation, pattern: RegExp): SearchHit[] {
  const named = name === undefined ? [] : [{ role: 'name', text: name }]
  return [...named, ...transcriptOf(nodes)].flatMap(({ role, text: original }) => {
    // Composed and decomposed letters are to match.
    const text = original.normalize('NFC')
    const found = pattern.exec(text)
    return found ? [{ role, text: snippet(text, found.index, found[0].length) }] : []
  })
}

/** Cut between words, where there are any. */
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
