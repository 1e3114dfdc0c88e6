const words = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** The first number in a text, in digits or in words up to twelve. */
export function numberIn(text: string): number | undefined {
  const found = new RegExp(String.raw`\b(\d+|${words.join('|')})\b`, 'i').exec(text)?.[1]?.toLowerCase()
  if (found === undefined) return undefined
  return words.includes(found) ? words.indexOf(found) : Number(found)
}

/** `three`, and digits from 13 on. */
export function numberWord(number: number): string {
  return words[number] ?? String(number)
}
