/** Text that is well-formed UTF-16, although a service cuts or breaks pairs of surrogates. */

import type { Delta } from './delta.ts'

/** Joins each pair of which the halves come in two deltas, as with emoji. A half that stays alone becomes U+FFFD. */
export class PairJoiner {
  /** First halves of pairs, each as a delta that would go on with it, by what it goes on with. */
  readonly #halves = new Map<string, Delta>()

  /** @param isEnd Whether no more deltas follow. */
  join(deltas: readonly Delta[], isEnd: boolean): Delta[] {
    const joined: Delta[] = []
    for (const delta of deltas) {
      if (delta.type === 'restart') this.#halves.clear()
      if (delta.type === 'end') this.#release(joined, delta.index)
      const text = textIn(delta)
      const isWhole = text === undefined || (this.#halves.size === 0 && text.isWellFormed())
      joined.push(isWhole ? delta : this.#joined(delta, text))
    }
    if (isEnd) this.#release(joined)
    return joined
  }

  #joined(delta: Delta, text: string): Delta {
    const rest = restOf(delta)
    const key = JSON.stringify(rest)
    const half = this.#halves.get(key)
    const whole = (half ? textIn(half) : '') + text
    this.#halves.delete(key)
    const isCut = /[\ud800-\udbff]$/.test(whole)
    if (isCut) this.#halves.set(key, withText(rest, whole.slice(-1)))
    return withText(delta, (isCut ? whole.slice(0, -1) : whole).toWellFormed())
  }

  /** @param index The choice that has ended (default: all). */
  #release(joined: Delta[], index?: number): void {
    for (const [key, half] of this.#halves) {
      if (index !== undefined && 'index' in half && half.index !== index) continue
      joined.push(withText(half, '\ufffd'))
      this.#halves.delete(key)
    }
  }
}

/** The delta that goes on with the same, still without a text. */
function restOf(delta: Delta): Delta {
  if (delta.type === 'tool') return { type: 'tool', index: delta.index, call: delta.call }
  return withText(delta.type === 'thinking' ? { ...delta, block: {} } : delta, '')
}

/** The text that may go on in another delta; `undefined` if there is none. */
function textIn(delta: Delta): string | undefined {
  if (delta.type === 'tool') return delta.arguments
  if (delta.type === 'thinking') return typeof delta.block.thinking === 'string' ? delta.block.thinking : undefined
  return 'text' in delta && delta.type !== 'chunk' ? delta.text : undefined
}

function withText(delta: Delta, text: string): Delta {
  if (delta.type === 'tool') return { ...delta, arguments: text }
  return delta.type === 'thinking'
    ? { ...delta, block: { ...delta.block, thinking: text } }
    : ({ ...delta, text } as Delta)
}
