/** Long arrays: `push(...items)` and `Math.max(...items)` overflow the stack at about 100,000 items, which a reply may have. */

export function append<T>(array: T[], items: Iterable<T>): void {
  for (const item of items) array.push(item)
}

/** @returns `least` if all values are below it, or there are none. */
export function largestOf(values: Iterable<number>, least = 0): number {
  let largest = least
  for (const value of values) largest = Math.max(largest, value)
  return largest
}
