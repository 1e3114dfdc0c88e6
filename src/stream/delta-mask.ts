/** Masks a key in an answer that is split across deltas. A key within one string is masked before the reply is decoded. */

import { append } from '../io/arrays.ts'
import { maskedKey, minMaskedLength, type Secrets } from '../io/secrets/secrets.ts'
import type { Delta } from './delta.ts'

type Tokens = Extract<Delta, { type: 'logprobs' }>
type Tool = Extract<Delta, { type: 'tool' }>
type Piece = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' }> | Tool

/**
 * One kind of text of a choice: its text, reasoning, refusal, or the arguments of a tool call. Holds back its end while that may
 * be the start of a key.
 */
class Kind {
  readonly #secrets: Secrets
  readonly #toDelta: (text: string) => Delta
  #tail = ''
  /** How much of the tail was given out before it was known to be part of a key. */
  #given = 0
  /** How many characters of a key are at the end of the text, given out or not. */
  keyLength = 0
  /** Whether the last piece completed a key. */
  hasKey = false
  /** Text that waits for the decision about its tokens: both must be shown together. */
  text = ''
  tokens: Tokens[] = []

  constructor(secrets: Secrets, toDelta: (text: string) => Delta) {
    this.#secrets = secrets
    this.#toDelta = toDelta
  }

  /** Whether the text does not end in the start of a key. */
  get isForgettable(): boolean {
    return this.#tail === ''
  }

  /** Whether nothing is held back. */
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

  /** The text that waits, and its tokens. */
  deltas(): Delta[] {
    const deltas = this.text === '' ? this.tokens : [this.#toDelta(this.text), ...this.tokens]
    this.text = ''
    this.tokens = []
    return deltas
  }

  /** Gives out the rest. If the next piece completes a key, what is left of the key is still masked. */
  release(): Delta[] {
    this.text += this.#tail.slice(this.#given)
    this.#given = this.#tail.length
    return this.deltas()
  }

  /** Gives out the rest of a text that has ended. What may be most of a key is masked, as in an error that was cut off. */
  end(): Delta[] {
    if (this.keyLength < minMaskedLength || this.isEmpty) return this.release()
    this.text += maskedKey
    return this.deltas()
  }
}

interface Choice {
  readonly kinds: Map<string, Kind>
  /** The kind of the last text. */
  last: Kind | undefined
  hasTokens: boolean
  /** Whether the last text contained a key: its tokens are dropped, as they would show it. */
  isMasked: boolean
}

/**
 * Holds back the end of a text while it may be the start of a key, whatever comes before the text continues. Only a start
 * shorter than the shortest key is released when another kind of text comes, so that the last word of the reasoning does not
 * appear below the answer; the rest of the key is masked even then.
 */
export class DeltaMask {
  readonly #secrets: Secrets
  readonly #choices = new Map<number, Choice>()

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  take(deltas: Delta[]): Delta[] {
    if (this.#secrets.isEmpty) return deltas
    const known: Delta[] = []
    for (const delta of deltas) {
      const taken = this.#takeOne(delta)
      // Not flatMap: this takes half the time, and is done for each token of an answer.
      if (Array.isArray(taken)) append(known, taken)
      else known.push(taken)
    }
    return known
  }

  /** Returns what is still held back, at the end of the answer. */
  flush(): Delta[] {
    return [...this.#choices.keys()].flatMap((index) => this.#endChoice(index))
  }

  #takeOne(delta: Delta): Delta | Delta[] {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#pass(delta, delta.type, delta.text)
      case 'tool':
        return this.#pass(delta, `tool ${delta.call}`, delta.arguments ?? '')
      case 'thinking':
        return [...releaseShort(this.#choice(delta.index).last), this.#masked(delta)]
      case 'logprobs':
        return this.#takeTokens(delta)
      case 'end':
        return [...this.#endChoice(delta.index), delta]
      case 'start':
      case 'usage':
      case 'quota':
      case 'chunk':
        return delta
    }
  }

  #pass(delta: Piece, name: string, piece: string): Delta | Delta[] {
    const choice = this.#choice(delta.index)
    if (choice.kinds.size === 0 && !this.#secrets.find(piece)) {
      choice.last = undefined
      choice.isMasked = false
      return delta
    }
    const kind = choice.kinds.get(name) ?? new Kind(this.#secrets, (text) => withText(delta, text))
    const before = choice.last === kind ? [] : releaseShort(choice.last)
    const known = kind.take(piece)
    choice.last = kind
    choice.isMasked = kind.hasKey
    if (choice.isMasked) kind.tokens = []
    if (kind.isForgettable) choice.kinds.delete(name)
    else choice.kinds.set(name, kind)
    if (known === piece && kind.text === '' && kind.isEmpty) return before.length === 0 ? delta : [...before, delta]
    kind.text += known
    const head = delta.type === 'tool' && (delta.id ?? delta.name) !== undefined ? [withText(delta, '')] : []
    return [...before, ...head, ...(choice.hasTokens && !kind.isEmpty ? [] : kind.deltas())]
  }

  #takeTokens(delta: Tokens): Delta[] {
    const choice = this.#choice(delta.index)
    choice.hasTokens = true
    if (choice.isMasked) return []
    if (!choice.last || choice.last.isEmpty) return [delta]
    choice.last.tokens.push(delta)
    return []
  }

  #masked(delta: Extract<Delta, { type: 'thinking' }>): Delta {
    const block = structuredClone(delta.block)
    return this.#secrets.maskValues(block) ? { ...delta, block } : delta
  }

  #endChoice(index: number): Delta[] {
    const kinds = this.#choices.get(index)?.kinds.values() ?? []
    this.#choices.delete(index)
    return [...kinds].flatMap((kind) => kind.end())
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice: Choice = { kinds: new Map(), last: undefined, hasTokens: false, isMasked: false }
    this.#choices.set(index, choice)
    return choice
  }
}

/** Only the last kind can still hold a short start: when another kind came, that of the one before was released. */
function releaseShort(last: Kind | undefined): Delta[] {
  return last && last.keyLength < minMaskedLength ? last.release() : []
}

function withText(delta: Piece, text: string): Delta {
  if (delta.type !== 'tool') return { ...delta, text }
  const { type, index, call } = delta
  return text === '' ? { ...delta, arguments: '' } : { type, index, call, arguments: text }
}
