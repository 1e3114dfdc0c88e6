/** `1 request`, `2 requests`; where the plural is not made with an s, it is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** What is said of rows without the key that they are passed over for: `1 result has no address`. */
export function lackingText(count: number, key: string, noun: string, plural?: string): string {
  return `${counted(count, noun, plural)} ${count === 1 ? 'has' : 'have'} no ${key}`
}
