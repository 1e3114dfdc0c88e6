import type { Delta } from '../stream/delta.ts'

/**
 * Puts the interleaved choices of an answer one after the other, in the order of their index. The current choice passes
 * through as it arrives; the others wait for their turn.
 */
export class ChoiceQueue {
  /** The number of choices requested. */
  readonly #count: number
  readonly #waiting = new Map<number, IndexedDelta[]>()
  /** The indexes of those that wait. A sort for each choice that ends would be O(n²) in a reply with many choices. */
  readonly #order = new Heap()
  readonly #seen = new Set<number>()
  readonly #ended = new Set<number>()
  /** The choice that passes through. */
  #current: number | undefined
  /** The last choice of which something passed. */
  #last: number | undefined
  /** The index that follows those that have ended. */
  #next = 0

  constructor(count: number) {
    this.#count = count
  }

  /** @returns the deltas to show now. */
  push(deltas: readonly Delta[]): Delta[] {
    const passed: Delta[] = []
    for (const delta of deltas) {
      if ('index' in delta) this.#add(delta, passed)
      else passed.push(delta)
    }
    return passed
  }

  /** The rest, after the last delta: every waiting choice, in order. */
  rest(): Delta[] {
    const rest = [...this.#waiting].sort(([a], [b]) => a - b).flatMap(([, deltas]) => deltas)
    this.#waiting.clear()
    return rest
  }

  #add(delta: IndexedDelta, passed: Delta[]): void {
    const { index } = delta
    this.#seen.add(index)
    if (index === this.#current) {
      this.#pass(delta, passed)
      this.#showNext(passed)
    } else if (this.#ended.has(index)) {
      // Text may follow a finish reason; a second finish reason is ignored.
      if (delta.type === 'end') return
      if (this.#current === undefined && index === this.#last) passed.push(delta)
      else this.#hold(delta)
    } else {
      if (!this.#waiting.has(index)) this.#order.add(index)
      this.#hold(delta)
      this.#showNext(passed)
    }
  }

  #hold(delta: IndexedDelta): void {
    const earlier = this.#waiting.get(delta.index)
    if (earlier) earlier.push(delta)
    else this.#waiting.set(delta.index, [delta])
  }

  #pass(delta: IndexedDelta, passed: Delta[]): void {
    passed.push(delta)
    this.#last = delta.index
    if (delta.type !== 'end') return
    this.#ended.add(delta.index)
    this.#next = delta.index + 1
    this.#current = undefined
  }

  /** A loop: a reply may have thousands of choices, all of which have ended. */
  #showNext(passed: Delta[]): void {
    while (this.#current === undefined) {
      const index = this.#order.least
      if (index === undefined || !this.#isTurnOf(index)) return
      this.#order.takeLeast()
      this.#current = index
      for (const delta of this.#waiting.get(index) ?? []) this.#pass(delta, passed)
      this.#waiting.delete(index)
    }
  }

  /** Choices may be missing, or numbered from 1: when all have started, the least index is next. */
  #isTurnOf(index: number): boolean {
    return index <= this.#next || this.#seen.size >= this.#count
  }
}

type IndexedDelta = Delta & { readonly index: number }

/** A binary heap of numbers. */
class Heap {
  readonly #numbers: number[] = []

  add(number: number): void {
    const numbers = this.#numbers
    let at = numbers.push(number) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#at(parent) <= number) break
      numbers[at] = this.#at(parent)
      at = parent
    }
    numbers[at] = number
  }

  get least(): number | undefined {
    return this.#numbers[0]
  }

  takeLeast(): number | undefined {
    const numbers = this.#numbers
    const least = numbers[0]
    const last = numbers.pop()
    if (last === undefined || numbers.length === 0) return least
    let at = 0
    for (let child = 1; child < numbers.length; child = 2 * at + 1) {
      if (this.#at(child + 1) < this.#at(child)) child++
      if (last <= this.#at(child)) break
      numbers[at] = this.#at(child)
      at = child
    }
    numbers[at] = last
    return least
  }

  #at(position: number): number {
    return this.#numbers[position] ?? Infinity
  }
}
