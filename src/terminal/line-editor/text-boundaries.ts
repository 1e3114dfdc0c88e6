/** Boundaries of words and lines. Positions are in UTF-16 units, between two graphemes. */

import { nextBoundary, previousBoundary } from '../graphemes.ts'

export function wordStartBefore(text: string, at: number): number {
  const end = backWhile(text, at, (grapheme) => !isWord(grapheme))
  return backWhile(text, end, isWord)
}

export function wordEndAfter(text: string, at: number): number {
  return forwardWhile(text, wordStartAfter(text, at), isWord)
}

/** The start of the next word; inside a word, `at` itself. */
export function wordStartAfter(text: string, at: number): number {
  return forwardWhile(text, at, (grapheme) => !isWord(grapheme))
}

/** Words separated by whitespace only, as for Ctrl-W in shells. */
export function blankWordStartBefore(text: string, at: number): number {
  const end = backWhile(text, at, isBlank)
  return backWhile(text, end, (grapheme) => !isBlank(grapheme))
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Words are letters and digits, as in readline. */
function isWord(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme)
}

function isBlank(grapheme: string): boolean {
  return /^\s/.test(grapheme)
}

function backWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at > 0) {
    const before = previousBoundary(text, at)
    if (!holds(text.slice(before, at))) break
    at = before
  }
  return at
}

function forwardWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at < text.length) {
    const after = nextBoundary(text, at)
    if (!holds(text.slice(at, after))) break
    at = after
  }
  return at
}
