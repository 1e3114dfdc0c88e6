/** Choices that look free but are the same for the same request. */

/** FNV-1a: 32 bits of a text. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** The list in an order that the seed determines. */
export function shuffle<T>(list: readonly T[], seed: number): T[] {
  const keyed = list.map((item) => ({ item, key: hash(`${seed} ${JSON.stringify(item)}`) }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}
