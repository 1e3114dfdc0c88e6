/** Where words and lines begin and end. */

import { nextBoundary, previousBoundary } from './graphemes.ts'

/** Whether a grapheme is part of what readline takes for a word: letters and digits. */
function isWord(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme)
}

function isBlank(grapheme: string): boolean {
  return /^\s/.test(grapheme)
}

export function wordStartBefore(text: string, at: number): number {
  const end = backWhile(text, at, (grapheme) => !isWord(grapheme))
  return backWhile(text, end, isWord)
}

export function wordEndAfter(text: string, at: number): number {
  return onWhile(text, wordStartAfter(text, at), isWord)
}

/** Where the next word begins; the place itself inside of one. */
export function wordStartAfter(text: string, at: number): number {
  return onWhile(text, at, (grapheme) => !isWord(grapheme))
}

/** Words here are whatever stands between blanks, as for the Ctrl-W of every shell. */
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

function backWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at > 0) {
    const before = previousBoundary(text, at)
    if (!holds(text.slice(before, at))) break
    at = before
  }
  return at
}

function onWhile(text: string, from: number, holds: (grapheme: string) => boolean): number {
  let at = from
  while (at < text.length) {
    const after = nextBoundary(text, at)
    if (!holds(text.slice(at, after))) break
    at = after
  }
  return at
}
