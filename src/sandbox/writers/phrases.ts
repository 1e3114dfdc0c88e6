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
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= length) return line
  const start = characters.slice(0, length - 1).join('')
  return `${start.trimEnd()}…`
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The first number in a text, in digits or in words up to twelve. */
export function numberIn(text: string): number | undefined {
  const found = new RegExp(String.raw`\b(\d+|${numbers.join('|')})\b`, 'i').exec(text)?.[1]?.toLowerCase()
  if (found === undefined) return undefined
  return numbers.includes(found) ? numbers.indexOf(found) : Number(found)
}

/** `three`, and digits from 13 on. */
export function numberWord(number: number): string {
  return numbers[number] ?? String(number)
}
