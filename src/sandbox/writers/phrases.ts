/** Small pieces of prose that several writers need. */

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
}

/** `1 word`, `2 words` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The start of a text on one line, at most so many characters, with `…` where it was cut. */
export function beginning(text: string, length: number): string {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  return line.length <= length
    ? line.join('')
    : `${line
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** A text's sentences, each with its full stop. */
export function sentencesOf(text: string): string[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.match(/.+?(?:[.!?…]+["”')]*(?=\s|$)|$)/gu)?.map((sentence) => sentence.trim()) ?? []
}
