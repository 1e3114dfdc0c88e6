import type { Delta } from '../stream/delta.ts'

/**
 * Puts the interleaved choices of an answer one after the other. The current choice passes through as it arrives; the
 * others wait until it has ended.
 */
export class ChoiceQueue {
  readonly #waiting = new Map<number, Delta[]>()
  /** The waiting choices, the next one last. */
  #order: number[] = []
  #isSorted = true
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
        else this.#wait(delta)
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
      const index = this.#nextIndex()
      if (index === undefined) return
      const deltas = this.#waiting.get(index) ?? []
      this.#waiting.delete(index)
      this.#current = index
      for (const delta of deltas) {
        passed.push(delta)
        if (delta.type === 'end') this.#end(index)
      }
    }
  }

  #wait(delta: Delta & { index: number }): void {
    this.#waiting.set(delta.index, [delta])
    this.#order.push(delta.index)
    this.#isSorted = false
  }

  /** Sorts only after new choices have come: sorting for each took minutes for 20,000. */
  #nextIndex(): number | undefined {
    if (!this.#isSorted) this.#order.sort((a, b) => b - a)
    this.#isSorted = true
    return this.#order.pop()
  }
}
