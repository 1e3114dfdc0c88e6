/** What a writer is given, and the phrases that all of them use. */

import type { Turn } from '../prompt.ts'

export interface Task {
  /** The user's last words, whole. */
  readonly request: string
  /** Its first paragraph: what to do. */
  readonly instruction: string
  readonly turns: readonly Turn[]
  /** What the choices of the answer depend on. */
  readonly seed: number
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
}

/** `1 word`, `2 words` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The start of a text on one line, at most so many characters, with `…` where it was cut. */
export function beginning(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= length) return line
  const start = characters.slice(0, length - 1).join('')
  return `${start.trimEnd()}…`
}
