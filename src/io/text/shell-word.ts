import { sanitizeName } from './safe-text.ts'

/** Quotes a text, if it needs that, so that a POSIX shell takes it as one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command line to copy. A word that has several lines or control characters, or looks like an API key, becomes `…`. */
export function typedLine(words: readonly string[]): string {
  return words.map((word) => (sanitizeName(word) === word ? shownWord(word, shellWord(word)) : '…')).join(' ')
}

/** Long, with letters and digits, but no id of a conversation. */
const keyLike = /^(?!\d{8}-\d)(?=.*\d)(?=.*[a-z])[\w+~-]{20,}$/i

/** @returns `…` for a word that looks like an API key or contains such a word, and else `text`. */
export function shownWord(word: string, text = word): string {
  const isKey =
    /\bsk-[\w-]{5,}|\bbearer\s+\S/i.test(word) || word.split(/^-+|[\s='":]+/).some((part) => keyLike.test(part))
  return isKey ? '…' : text
}

/** The text with `…` for each word that looks like an API key. Names of models look like keys, but have a prefix. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/[^\s"'`,;()]+/g, (word) => {
    const [end = ''] = /[.:]*$/.exec(word) ?? []
    return /^(?:hf|syn):/.test(word) ? word : shownWord(word.slice(0, word.length - end.length)) + end
  })
}
