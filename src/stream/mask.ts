/** Masks a key in an answer, also when it is split across deltas. */

import type { JsonObject } from '../io/json.ts'
import type { Secrets } from '../io/secrets.ts'
import type { Delta } from './delta.ts'

type Piece = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' }>
type Tokens = Extract<Delta, { type: 'logprobs' }>
type Block = Extract<Delta, { type: 'thinking' }>

/** The end of a choice's text that may be the start of a key, with the tokens of that text. */
interface Held {
  readonly piece: Piece
  readonly tokens: readonly Tokens[]
}

/** Holds back the end of a choice's text while it may be the start of a key. */
export class DeltaMask {
  readonly #secrets: Secrets
  readonly #held = new Map<number, Held>()
  /** Choices that come with log probabilities. */
  readonly #withTokens = new Set<number>()
  /** Choices whose last text contained a key: their tokens are dropped, as they would show it. */
  readonly #masked = new Set<number>()

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  take(deltas: Delta[]): Delta[] {
    return this.#secrets.isEmpty ? deltas : deltas.flatMap((delta) => this.#takeOne(delta))
  }

  /** Returns what is still held back, at the end of the answer. */
  flush(): Delta[] {
    return [...this.#held.keys()].flatMap((index) => this.#release(index))
  }

  #takeOne(delta: Delta): Delta[] {
    if (!('index' in delta)) return [delta]
    if (delta.type === 'logprobs') return this.#takeTokens(delta)
    if (delta.type === 'thinking') return [...this.#release(delta.index), this.#maskedBlock(delta)]
    const held = this.#held.get(delta.index)
    if (!isPiece(delta) || held?.piece.type !== delta.type) {
      return [...this.#release(delta.index), ...(isPiece(delta) ? this.#pass({ piece: delta, tokens: [] }) : [delta])]
    }
    this.#held.delete(delta.index)
    return this.#pass({ piece: { ...delta, text: held.piece.text + delta.text }, tokens: held.tokens })
  }

  #maskedBlock(delta: Block): Delta {
    return { ...delta, block: JSON.parse(this.#secrets.mask(JSON.stringify(delta.block))) as JsonObject }
  }

  #takeTokens(delta: Tokens): Delta[] {
    this.#withTokens.add(delta.index)
    if (this.#masked.has(delta.index)) return []
    const held = this.#held.get(delta.index)
    if (!held) return [delta]
    this.#held.set(delta.index, { ...held, tokens: [...held.tokens, delta] })
    return []
  }

  #pass({ piece, tokens }: Held): Delta[] {
    const { index } = piece
    const text = this.#secrets.mask(piece.text)
    const visibleTokens = text === piece.text ? tokens : []
    if (text === piece.text) this.#masked.delete(index)
    else this.#masked.add(index)
    const end = text.length - this.#secrets.partialKeyLength(text)
    if (end === text.length) return [{ ...piece, text }, ...visibleTokens]
    // A text with log probabilities is held back whole: both must be released together.
    const released = this.#withTokens.has(index) ? 0 : end
    this.#held.set(index, { piece: { ...piece, text: text.slice(released) }, tokens: visibleTokens })
    return released === 0 ? [] : [{ ...piece, text: text.slice(0, released) }]
  }

  #release(index: number): Delta[] {
    const held = this.#held.get(index)
    this.#held.delete(index)
    return held ? [held.piece, ...held.tokens] : []
  }
}

function isPiece(delta: Delta): delta is Piece {
  return delta.type === 'text' || delta.type === 'reasoning' || delta.type === 'refusal'
}
