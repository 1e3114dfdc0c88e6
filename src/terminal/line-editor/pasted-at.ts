/**
 * An `@` that came by a paste attaches no file. In the texts of the line editor it is another character, so that it stays what
 * it is wherever the text goes: through undo, the kill ring, the queue and the history.
 */

/** Of those that Unicode reserves for use within a program. */
const pastedAt = '\ufdd0'

export function asPasted(text: string): string {
  return text.replaceAll('@', pastedAt)
}

/** As it is shown and sent. The positions are the same. */
export function plainText(text: string): string {
  return text.replaceAll(pastedAt, '@')
}
