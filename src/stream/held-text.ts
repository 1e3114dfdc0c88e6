import { maskedKey, minMaskedLength, type Secrets } from '../io/secrets/secrets.ts'

/** Masks a text that arrives in pieces: holds back its end while that may be the start of a key. */
export class HeldText {
  readonly #secrets: Secrets
  #tail = ''
  /** How much of the tail was given out before it was known to be part of a key. */
  #given = 0
  /** How many characters of a key are at the end of the text, given out or not. */
  keyLength = 0
  /** Whether the last piece completed a key. */
  hasKey = false

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** Whether the text does not end in the start of a key. */
  get isForgettable(): boolean {
    return this.#tail === ''
  }

  /** Whether all of the text was given out. */
  get isEmpty(): boolean {
    return this.#given === this.#tail.length
  }

  /** @returns the text that is known not to be part of a key, and the mask of a key. */
  take(piece: string): string {
    const text = this.#tail + piece
    const { keys, tail, tailLength } = this.#secrets.find(text) ?? { keys: [], tail: text.length, tailLength: 0 }
    let known = ''
    let at = this.#given
    for (const { start, end } of keys) {
      known += text.slice(at, start) + maskedKey
      at = end
    }
    known += text.slice(at, tail)
    this.#tail = text.slice(tail)
    this.#given = Math.max(0, at - tail)
    this.keyLength = tailLength
    this.hasKey = keys.length > 0
    return known
  }

  /** Gives out the rest. If the next piece completes a key, what is left of the key is still masked. */
  release(): string {
    const rest = this.#tail.slice(this.#given)
    this.#given = this.#tail.length
    return rest
  }

  /** Gives out the rest of a text that has ended. What may be most of a key is masked, as in an error that was cut off. */
  end(): string {
    const isCutKey = this.keyLength >= minMaskedLength && !this.isEmpty
    const rest = this.release()
    return isCutKey ? maskedKey : rest
  }
}
