/** Choices that look free but are the same for the same request. */

/** FNV-1a: 32 bits of a text. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}

/** A sequence of numbers that its seed determines (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, 1 excluded. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T
  }

  /** The list in another order. */
  shuffle<T>(list: readonly T[]): T[] {
    const rest = [...list]
    return list.map(() => rest.splice(Math.floor(this.next() * rest.length), 1)[0] as T)
  }
}
