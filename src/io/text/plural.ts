/** Counts in messages. */

/** `1 request`, `2 requests`. @param plural For nouns whose plural is not formed with an s. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** What follows the first of a list: `, and 2 other files`. */
export function andOthers({ length }: readonly unknown[], noun: string): string {
  return length <= 1 ? '' : `, and ${pluralize(length - 1, `other ${noun}`)}`
}

/** The notice for rows skipped because they lack a key: `1 result has no URL`. */
export function missingKeyText(count: number, key: string, noun: string, plural?: string): string {
  return `${pluralize(count, noun, plural)} ${count === 1 ? 'has' : 'have'} no ${key}`
}

/** `10,000`, `3.1` */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 1 : 0 })
}

/** `0.0000001`, `1.2`: all digits, never with an exponent. */
export function plainNumber(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false })
}

/** `1 row`, `10,000 rows` */
export function countText(count: number, noun: string): string {
  return pluralize(count, noun).replace(String(count), grouped(count))
}
