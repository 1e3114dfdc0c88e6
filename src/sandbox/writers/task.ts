/** The input of writers, and helpers for their texts. */

import type { Turn } from '../prompt.ts'

export interface WritingTask {
  /** The user's last message. */
  readonly request: string
  /** Its first paragraph: what to do. */
  readonly instruction: string
  readonly turns: readonly Turn[]
  /** Determines the writer's random choices. */
  readonly seed: number
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
}

/** The start of a text on one line, at most `length` characters, with `…` if truncated. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= length) return line
  const start = characters.slice(0, length - 1).join('')
  return `${start.trimEnd()}…`
}
