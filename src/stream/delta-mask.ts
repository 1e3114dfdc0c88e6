/** Masks a key in an answer that is split across deltas. A key within one string is masked before the reply is decoded. */

import { append } from '../io/arrays.ts'
import { minMaskedLength, type Secrets } from '../io/secrets/secrets.ts'
import type { Delta } from './delta.ts'
import { HeldText } from './held-text.ts'

type Tokens = Extract<Delta, { type: 'logprobs' }>
type Block = Extract<Delta, { type: 'thinking' }>
type Tool = Extract<Delta, { type: 'tool' }>
type Piece = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' }> | Tool

/** One kind of text of a choice: its text, reasoning, refusal, or the arguments of a tool call. */
class Kind {
  readonly held: HeldText
  readonly #toDelta: (text: string) => Delta
  /** Text that waits for the decision about its tokens: both must be shown together. */
  text = ''
  tokens: Tokens[] = []

  constructor(secrets: Secrets, toDelta: (text: string) => Delta) {
    this.held = new HeldText(secrets)
    this.#toDelta = toDelta
  }

  /** The text that waits, and its tokens. */
  deltas(): Delta[] {
    const deltas = this.text === '' ? this.tokens : [this.#toDelta(this.text), ...this.tokens]
    this.text = ''
    this.tokens = []
    return deltas
  }

  release(): Delta[] {
    this.text += this.held.release()
    return this.deltas()
  }

  /** No more text will come. */
  end(): Delta[] {
    this.text += this.held.end()
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
        return [...releaseShort(this.#choice(delta.index).last), this.#maskedBlock(delta)]
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
    const known = kind.held.take(piece)
    choice.last = kind
    choice.isMasked = kind.held.hasKey
    if (choice.isMasked) kind.tokens = []
    if (kind.held.isForgettable) choice.kinds.delete(name)
    else choice.kinds.set(name, kind)
    if (known === piece && kind.text === '' && kind.held.isEmpty)
      return before.length === 0 ? delta : [...before, delta]
    kind.text += known
    const head = delta.type === 'tool' && (delta.id ?? delta.name) !== undefined ? [withText(delta, '')] : []
    return [...before, ...head, ...(choice.hasTokens && !kind.held.isEmpty ? [] : kind.deltas())]
  }

  #takeTokens(delta: Tokens): Delta[] {
    const choice = this.#choice(delta.index)
    choice.hasTokens = true
    if (choice.isMasked) return []
    if (!choice.last || choice.last.held.isEmpty) return [delta]
    choice.last.tokens.push(delta)
    return []
  }

  #maskedBlock(delta: Block): Delta {
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
  return last && last.held.keyLength < minMaskedLength ? last.release() : []
}

function withText(delta: Piece, text: string): Delta {
  if (delta.type !== 'tool') return { ...delta, text }
  const { type, index, call } = delta
  return text === '' ? { ...delta, arguments: '' } : { type, index, call, arguments: text }
}
