import { sanitizeName } from './safe-text.ts'

/** Quotes a text, if it needs that, so that a POSIX shell takes it as one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** In characters. */
const longestWord = 120

/**
 * A command line to copy from a hint. A word that is too long, has several lines or control characters, or looks like an API
 * key becomes `…`.
 */
export function typedLine(words: readonly string[]): string {
  const isShown = (word: string): boolean => word.length <= longestWord && sanitizeName(word) === word
  return words.map((word) => (isShown(word) ? shownWord(word, shellWord(word)) : '…')).join(' ')
}

/** @returns `…` for a word that looks like an API key, and else `text`. */
export function shownWord(word: string, text = word): string {
  return /\bsk-[\w-]{5,}/.test(word) ? '…' : text
}
