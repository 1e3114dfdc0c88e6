/** Text that is well-formed UTF-16, although a service cuts or breaks pairs of surrogates. */

import type { Delta } from './delta.ts'

/** Joins each pair of which the halves come in two deltas, as with emoji. A half that stays alone becomes U+FFFD. */
export class PairJoiner {
  /** Deltas that end with the first half of a pair, by what goes on in another delta. */
  readonly #cut = new Map<string, Delta>()

  /** @param isEnd Whether no more deltas follow. */
  join(deltas: readonly Delta[], isEnd: boolean): Delta[] {
    const joined: Delta[] = []
    for (const delta of deltas) {
      if (delta.type === 'end') this.#release(joined, delta.index)
      const text = textIn(delta)
      if (text === undefined || (this.#cut.size === 0 && text.isWellFormed())) joined.push(delta)
      else this.#join(joined, delta, text)
    }
    if (isEnd) this.#release(joined)
    return joined
  }

  #join(joined: Delta[], delta: Delta, text: string): void {
    const part = 'call' in delta ? delta.call : 'number' in delta ? delta.number : ''
    const key = `${delta.type} ${'index' in delta ? delta.index : ''} ${part}`
    const before = this.#cut.get(key)
    const secondHalf = before && /^[\udc00-\udfff]/.test(text) ? text.slice(0, 1) : ''
    if (before) joined.push(withText(before, (textIn(before) + secondHalf).toWellFormed()))
    const rest = text.slice(secondHalf.length)
    this.#cut.delete(key)
    if (/[\ud800-\udbff]$/.test(rest)) this.#cut.set(key, withText(delta, rest))
    else joined.push(withText(delta, rest.toWellFormed()))
  }

  /** @param index The choice that has ended (default: all). */
  #release(joined: Delta[], index?: number): void {
    for (const [key, delta] of this.#cut) {
      if (index !== undefined && 'index' in delta && delta.index !== index) continue
      joined.push(withText(delta, (textIn(delta) ?? '').toWellFormed()))
      this.#cut.delete(key)
    }
  }
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
