/**
 * An `@` that came by a paste attaches no file. In the texts of the line editor it is another character, so that it stays what
 * it is wherever the text goes: through undo, the kill ring, the queue and the history.
 */

/** Of those that Unicode reserves for use within a program. */
export const pastedAt = '\ufdd0'

/** Without punctuation that follows. */
const wordAfterAt = /[@\ufdd0](?:\S*[^\s\p{P}])?/gu

export function asPasted(text: string): string {
  return text.replaceAll('@', pastedAt)
}

/** The text that an editor made of the plain one: an `@` before the same word as a pasted one is pasted, too. */
export function keepPasted(saved: string, text: string): string {
  const words = new Map(text.match(wordAfterAt)?.map((word) => [plainText(word), word]))
  return saved.replace(wordAfterAt, (word) => words.get(word) ?? word)
}

/** As it is shown and sent. The positions are the same. */
export function plainText(text: string): string {
  return text.replaceAll(pastedAt, '@')
}
