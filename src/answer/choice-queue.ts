import type { Delta } from '../stream/delta.ts'

/**
 * Puts the interleaved choices of an answer one after the other, in the order of their index. The current choice passes
 * through as it arrives; the others wait for their turn.
 */
export class ChoiceQueue {
  /** The number of choices requested. */
  readonly #count: number
  readonly #waiting = new Map<number, IndexedDelta[]>()
  /** The choices of which nothing has passed yet. */
  readonly #order: number[] = []
  /** The least index of them. */
  #least = Infinity
  /** Whether it is the last: they are sorted only when it has its turn, as a reply may have thousands. */
  #isSorted = true
  /** How many choices have started. */
  #seen = 0
  readonly #ended = new Set<number>()
  /** The choice of which something passed last. */
  #shown = -1
  /** Whether it has not ended. */
  #isOpen = false

  constructor(count: number) {
    this.#count = count
  }

  /** @returns the deltas to show now. */
  push(deltas: readonly Delta[]): Delta[] {
    const passed: Delta[] = []
    for (const delta of deltas) {
      // Text may follow a finish reason; a second finish reason is ignored.
      if ('index' in delta && delta.type === 'end' && this.#ended.has(delta.index)) continue
      if (!('index' in delta)) passed.push(delta)
      else if (delta.index === this.#shown) this.#pass(delta, passed)
      else this.#hold(delta)
    }
    this.#showNext(passed)
    return passed
  }

  /** The rest, after the last delta: every waiting choice, in order. */
  rest(): Delta[] {
    const rest = [...this.#waiting].sort(([a], [b]) => a - b).flatMap(([, deltas]) => deltas)
    this.#waiting.clear()
    return rest
  }

  #hold(delta: IndexedDelta): void {
    const { index } = delta
    const earlier = this.#waiting.get(index)
    if (earlier) return void earlier.push(delta)
    this.#waiting.set(index, [delta])
    if (this.#ended.has(index)) return
    this.#seen++
    this.#order.push(index)
    this.#least = Math.min(this.#least, index)
    this.#isSorted = false
  }

  #pass(delta: IndexedDelta, passed: Delta[]): void {
    passed.push(delta)
    if (delta.type !== 'end') return
    this.#ended.add(delta.index)
    this.#isOpen = false
  }

  /** A loop: all of those that wait may have ended. */
  #showNext(passed: Delta[]): void {
    while (!this.#isOpen && this.#order.length > 0) {
      const index = this.#least
      // Choices may be missing, or numbered from 1: when all have started, the least index is next.
      if (index > this.#shown + 1 && this.#seen < this.#count) return
      if (!this.#isSorted) this.#order.sort((a, b) => b - a)
      this.#isSorted = true
      this.#order.pop()
      this.#least = this.#order.at(-1) ?? Infinity
      this.#shown = index
      this.#isOpen = true
      for (const delta of this.#waiting.get(index) ?? []) this.#pass(delta, passed)
      this.#waiting.delete(index)
    }
  }
}

type IndexedDelta = Delta & { readonly index: number }
