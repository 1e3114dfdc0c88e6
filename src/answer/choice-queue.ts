import { append } from '../io/arrays.ts'
import type { Delta } from '../stream/delta.ts'

type IndexedDelta = Delta & { readonly index: number }

/**
 * Puts the interleaved choices of an answer one after the other, in the order of their index. The current choice passes through as
 * it arrives; the others wait for their turn, and what follows the end of a choice for the end of all.
 */
export class ChoiceQueue {
  readonly #waiting = new Map<number, IndexedDelta[]>()
  /** The choice whose turn it is: the first to come if there is only one, which some services number from 1. */
  #current: number | undefined

  /** @param count The number of choices requested. */
  constructor(count: number) {
    this.#current = count > 1 ? 0 : undefined
  }

  /** @returns the deltas to show now. */
  push(deltas: readonly Delta[]): Delta[] {
    const passed: Delta[] = []
    this.#current ??= deltas.flatMap((delta) => ('index' in delta ? delta.index : [])).sort((a, b) => a - b)[0]
    for (const delta of deltas) {
      if (!('index' in delta)) {
        passed.push(delta)
        continue
      }
      if (delta.index === this.#current) this.#pass(delta, passed)
      // A second finish reason ends nothing.
      else if (delta.type !== 'end' || delta.index > (this.#current ?? 0)) this.#hold(delta)
    }
    return passed
  }

  /** The rest, after the last delta: every waiting choice, in order. */
  rest(): Delta[] {
    const rest = [...this.#waiting.values()].flat().sort((a, b) => a.index - b.index)
    this.#waiting.clear()
    return rest
  }

  #hold(delta: IndexedDelta): void {
    const held = this.#waiting.get(delta.index)
    if (held) held.push(delta)
    else this.#waiting.set(delta.index, [delta])
  }

  #pass(delta: IndexedDelta, passed: Delta[]): void {
    passed.push(delta)
    let hasEnded = delta.type === 'end'
    // A loop: all of those that wait may have ended.
    for (let next = delta.index + 1; hasEnded; next++) {
      const held = this.#waiting.get(next) ?? []
      this.#waiting.delete(next)
      this.#current = next
      append(passed, held)
      hasEnded = held.some(({ type }) => type === 'end')
    }
  }
}
