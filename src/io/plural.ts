/** `1 request`, `2 requests`; where the plural is not made with an s, it is given. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** The notice for rows that are passed over because they lack a key: `1 result has no address`. */
export function missingKeyText(count: number, key: string, noun: string, plural?: string): string {
  return `${pluralize(count, noun, plural)} ${count === 1 ? 'has' : 'have'} no ${key}`
}
