/** Finds a text in what was said. */

import type { Conversation } from './conversation.ts'
import { spokenBy } from './spoken.ts'

export interface Hit {
  /** Who said it; `name` for the conversation's own name. */
  readonly role: string
  /** On one line, with something of what stands around it. */
  readonly text: string
}

/** How much is shown before what was found, and after it, in characters. */
const around = { before: 30, after: 120 }

/** A pattern that finds the text wherever it stands, in either case. */
export function patternOf(text: string): RegExp {
  const words = text.trim().normalize('NFC').split(/\s+/)
  return new RegExp(words.map(literally).join('\\s+'), 'iu')
}

/** With the flag u nothing else may be escaped: a hyphen, for one, must not. */
function literally(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** One hit for each message that holds it, on every branch. */
export function searchConversation({ name, nodes }: Conversation, pattern: RegExp): Hit[] {
  const named = name === undefined ? [] : [{ role: 'name', text: name }]
  return [...named, ...spokenBy(nodes)].flatMap(({ role, text: said }) => {
    // Letters that look the same are the same, however they are put together.
    const text = said.normalize('NFC')
    const found = pattern.exec(text)
    return found ? [{ role, text: snippet(text, found.index, found[0].length) }] : []
  })
}

/** Whole words, where there are words. */
function snippet(text: string, index: number, length: number): string {
  const from = Math.max(0, index - around.before)
  const to = Math.min(text.length, index + length + around.after)
  const before = text.slice(from, index)
  const after = text.slice(index + length, to)
  const shown = [
    from > 0 ? `…${before.replace(/^\S*\s+/, '')}` : before,
    text.slice(index, index + length),
    to < text.length ? `${after.replace(/\s+\S*$/, '')}…` : after,
  ]
  return shown.join('').replace(/\s+/g, ' ').trim().toWellFormed()
}
