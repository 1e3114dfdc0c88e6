import type { Delta } from '../stream/delta.ts'

/**
 * Puts the interleaved choices of an answer one after the other. The current choice passes through as it arrives; the
 * others wait until it has ended.
 */
export class ChoiceQueue {
  readonly #waiting = new Map<number, Delta[]>()
  /** The indexes of those that wait. A sort for each choice that ends would be O(n²) in a reply with many choices. */
  readonly #order = new Heap()
  readonly #ended = new Set<number>()
  #current: number | undefined

  /** @returns the deltas to show now. */
  push(deltas: readonly Delta[]): Delta[] {
    const passed: Delta[] = []
    for (const delta of deltas) {
      if (!('index' in delta)) passed.push(delta)
      else if (delta.index === this.#current) this.#pass(delta, passed)
      // Text may follow a finish reason; a second finish reason is ignored.
      else if (delta.type !== 'end' || !this.#ended.has(delta.index)) {
        const earlier = this.#waiting.get(delta.index)
        if (earlier) earlier.push(delta)
        else this.#await(delta)
        if (this.#current === undefined) this.#showNext(passed)
      }
    }
    return passed
  }

  /** The rest, after the last delta: every waiting choice, in order. */
  rest(): Delta[] {
    const rest = [...this.#waiting].sort(([a], [b]) => a - b).flatMap(([, deltas]) => deltas)
    this.#waiting.clear()
    return rest
  }

  #await(delta: Delta & { index: number }): void {
    this.#waiting.set(delta.index, [delta])
    this.#order.add(delta.index)
  }

  #pass(delta: Delta & { index: number }, passed: Delta[]): void {
    passed.push(delta)
    if (delta.type === 'end') this.#end(delta.index)
    if (this.#current === undefined) this.#showNext(passed)
  }

  #end(index: number): void {
    this.#ended.add(index)
    this.#current = undefined
  }

  /** A loop: a reply may have thousands of choices, all of which have ended. */
  #showNext(passed: Delta[]): void {
    while (this.#current === undefined) {
      const index = this.#order.takeLeast()
      if (index === undefined) return
      this.#current = index
      for (const delta of this.#waiting.get(index) ?? []) {
        passed.push(delta)
        if (delta.type === 'end') this.#end(index)
      }
      this.#waiting.delete(index)
    }
  }
}

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
