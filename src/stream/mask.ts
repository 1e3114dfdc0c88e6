/** Takes the key out of an answer that carries it in pieces, as a stream of tokens does. */

import type { Secrets } from '../io/secrets.ts'
import type { Delta } from './delta.ts'

type Piece = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' }>

/** Holds back the end of a choice's text while it may be the beginning of a key. */
export class DeltaMask {
  readonly #secrets: Secrets
  readonly #held = new Map<number, Piece>()

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  take(deltas: Delta[]): Delta[] {
    if (this.#secrets.isEmpty) return deltas
    return deltas.flatMap((delta) => {
      if (!('index' in delta)) return [delta]
      const held = this.#held.get(delta.index)
      this.#held.delete(delta.index)
      if (!isPiece(delta)) return held ? [held, delta] : [delta]
      if (held && held.type !== delta.type) return [held, ...this.#pass(delta)]
      return this.#pass({ ...delta, text: (held?.text ?? '') + delta.text })
    })
  }

  /** What is still held when nothing more can follow. */
  rest(): Delta[] {
    const rest = [...this.#held.values()]
    this.#held.clear()
    return rest
  }

  #pass(piece: Piece): Delta[] {
    const text = this.#secrets.mask(piece.text)
    const end = text.length - this.#secrets.beginningAtEnd(text)
    if (end < text.length) this.#held.set(piece.index, { ...piece, text: text.slice(end) })
    return end === 0 ? [] : [{ ...piece, text: text.slice(0, end) }]
  }
}

function isPiece(delta: Delta): delta is Piece {
  return delta.type === 'text' || delta.type === 'reasoning' || delta.type === 'refusal'
}
