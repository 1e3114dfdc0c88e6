/** Text that is well-formed UTF-16, although a service cuts or breaks pairs of surrogates. */

import { type Delta, isTextDelta, type Text } from './delta.ts'

/**
 * Joins each pair of which the halves come in two texts, as with emoji: a text is shown as it arrives. A half that stays alone
 * becomes U+FFFD.
 */
export class PairJoiner {
  /** First halves of pairs, each as a delta that would go on with it, by what it goes on with. */
  readonly #halves = new Map<string, Text>()

  /** @param isEnd Whether no more deltas follow. */
  join(deltas: readonly Delta[], isEnd: boolean): Delta[] {
    const joined: Delta[] = []
    for (const delta of deltas) {
      if (delta.type === 'restart') this.#halves.clear()
      if (delta.type === 'end') this.#release(joined, delta.index)
      const mayBeHalf = isTextDelta(delta) && (this.#halves.size > 0 || !delta.text.isWellFormed())
      joined.push(mayBeHalf ? this.#joined(delta) : delta)
    }
    if (isEnd) this.#release(joined)
    return joined
  }

  #joined(delta: Text): Text {
    const key = `${delta.type} ${delta.index}`
    const whole = (this.#halves.get(key)?.text ?? '') + delta.text
    this.#halves.delete(key)
    const isCut = /[\ud800-\udbff]$/.test(whole)
    if (isCut) this.#halves.set(key, { ...delta, text: whole.slice(-1) })
    return { ...delta, text: (isCut ? whole.slice(0, -1) : whole).toWellFormed() }
  }

  /** @param index The choice that has ended (default: all). */
  #release(joined: Delta[], index?: number): void {
    for (const [key, half] of this.#halves) {
      if (index !== undefined && half.index !== index) continue
      joined.push({ ...half, text: '\ufffd' })
      this.#halves.delete(key)
    }
  }
}
