import type { Delta } from '../stream/delta.ts'

/**
 * Puts the interleaved choices of an answer one after the other, in the order of their index. The current choice passes
 * through as it arrives; the others wait for their turn.
 */
export class ChoiceQueue {
  /** The number of choices requested. */
  readonly #count: number
  /** The choices of which nothing has passed yet. */
  #waiting = new Map<number, IndexedDelta[]>()
  /** Whether they are in order: they are sorted only when that matters, as a reply may have thousands. */
  #isSorted = true
  /** What followed the end of an earlier choice. */
  #late: IndexedDelta[] = []
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
    const rest = [...this.#waiting.values(), this.#late].flat().sort((a, b) => a.index - b.index)
    this.#waiting.clear()
    this.#late = []
    return rest
  }

  #hold(delta: IndexedDelta): void {
    const { index } = delta
    const held = this.#ended.has(index) ? this.#late : this.#waiting.get(index)
    if (held) return void held.push(delta)
    this.#waiting.set(index, [delta])
    this.#isSorted = false
  }

  #pass(delta: IndexedDelta, passed: Delta[]): void {
    passed.push(delta)
    if (delta.type !== 'end') return
    this.#ended.add(delta.index)
    this.#isOpen = false
  }

  #showNext(passed: Delta[]): void {
    // A loop: all of those that wait may have ended.
    for (let next = this.#nextChoice(); next !== undefined; next = this.#nextChoice()) {
      this.#shown = next
      this.#isOpen = true
      for (const delta of this.#waiting.get(next) ?? []) this.#pass(delta, passed)
      this.#waiting.delete(next)
    }
  }

  /** @returns the waiting choice whose turn it is. */
  #nextChoice(): number | undefined {
    if (this.#isOpen) return undefined
    if (this.#waiting.has(this.#shown + 1)) return this.#shown + 1
    // Choices may be missing, or numbered from 1: when all have started, the least index is next.
    if (this.#ended.size + this.#waiting.size < this.#count) return undefined
    if (!this.#isSorted) this.#waiting = new Map([...this.#waiting].sort(([a], [b]) => a - b))
    this.#isSorted = true
    return this.#waiting.keys().next().value
  }
}

type IndexedDelta = Delta & { readonly index: number }
