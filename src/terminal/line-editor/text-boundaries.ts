/** Boundaries of words and lines. Positions are in UTF-16 units, between two graphemes. */

import { nextBoundary, previousBoundary } from '../graphemes.ts'

export function wordStartBefore(text: string, at: number): number {
  const end = skip(text, at, previousBoundary, (grapheme) => !isWord(grapheme))
  return skip(text, end, previousBoundary, isWord)
}

export function wordEndAfter(text: string, at: number): number {
  const start = skip(text, at, nextBoundary, (grapheme) => !isWord(grapheme))
  return skip(text, start, nextBoundary, isWord)
}

/** Words separated by whitespace only, as for Ctrl-W in shells. */
export function blankWordStartBefore(text: string, at: number): number {
  const end = skip(text, at, previousBoundary, isBlank)
  return skip(text, end, previousBoundary, (grapheme) => !isBlank(grapheme))
}

/** The start of the word that ends at a position, separated by blanks; after a blank, the position itself. */
export function wordStart(text: string, at: number): number {
  return Math.max(lineStart(text, at), at === 0 ? 0 : text.lastIndexOf(' ', at - 1) + 1)
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Length of the common prefix, in whole graphemes. */
export function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length) {
    const next = nextBoundary(one, length)
    if (next !== nextBoundary(other, length) || one.slice(length, next) !== other.slice(length, next)) break
    length = next
  }
  return length
}

/** Words are letters and digits, as in readline. */
function isWord(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme)
}

function isBlank(grapheme: string): boolean {
  return /^\s/.test(grapheme)
}

/** Moves by graphemes while they are of a kind. @param next `nextBoundary` or `previousBoundary`. */
function skip(text: string, from: number, next: typeof nextBoundary, holds: (grapheme: string) => boolean): number {
  for (let at = from; ;) {
    const after = next(text, at)
    if (after === at || !holds(text.slice(Math.min(at, after), Math.max(at, after)))) return at
    at = after
  }
}
