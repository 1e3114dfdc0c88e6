import type { Delta } from '../stream/delta.ts'

/**
 * Puts the choices of an answer one after the other: the one that is shown passes as it arrives, the others wait until
 * it has ended.
 */
export class ChoiceQueue {
  readonly #waiting = new Map<number, Delta[]>()
  readonly #ended = new Set<number>()
  #shown: number | undefined

  /** @returns what may be shown now. */
  take(deltas: readonly Delta[]): Delta[] {
    const passed: Delta[] = []
    for (const delta of deltas) {
      if (!('index' in delta)) passed.push(delta)
      else if (delta.index === this.#shown) this.#pass(delta, passed)
      // Text may follow its finish reason; a second reason says nothing.
      else if (delta.type !== 'end' || !this.#ended.has(delta.index)) {
        const before = this.#waiting.get(delta.index)
        if (before) before.push(delta)
        else this.#waiting.set(delta.index, [delta])
        if (this.#shown === undefined) this.#showNext(passed)
      }
    }
    return passed
  }

  /** What is left when the answer has broken off: every choice, in order. */
  rest(): Delta[] {
    const rest = [...this.#waiting].sort(([a], [b]) => a - b).flatMap(([, deltas]) => deltas)
    this.#waiting.clear()
    return rest
  }

  #pass(delta: Delta & { index: number }, passed: Delta[]): void {
    passed.push(delta)
    if (delta.type !== 'end') return
    this.#ended.add(delta.index)
    this.#shown = undefined
    this.#showNext(passed)
  }

  #showNext(passed: Delta[]): void {
    const next = Math.min(...this.#waiting.keys())
    const held = this.#waiting.get(next) as (Delta & { index: number })[] | undefined
    if (!held) return
    this.#waiting.delete(next)
    this.#shown = next
    for (const delta of held) this.#pass(delta, passed)
  }
}
