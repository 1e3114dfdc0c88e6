/** The content blocks that a streamed message consists of (section 4, note 6). */

import { isObject, type Json, type JsonObject } from '../../io/json.ts'

/** The type of an event, a block or a delta; empty for what is none of them. */
export function typeOf(value: Json | undefined): string {
  return isObject(value) && typeof value.type === 'string' ? value.type : ''
}

/** Numbers the content blocks of a streamed message in the order in which they begin, and tells which one an event is of. */
export class BlockNumbers {
  readonly #open = new Map<number, number>()
  #next = 0

  /** A block begins; also under an index that was used before, as services do that number all of them alike. */
  begin(index: Json | undefined): number {
    const number = this.#next++
    this.#open.set(position(index), number)
    return number
  }

  /** The block that goes on. One that nobody announced begins here. */
  of(index: Json | undefined): number {
    return this.#open.get(position(index)) ?? this.begin(index)
  }
}

/** Missing means the first. */
function position(index: Json | undefined): number {
  return typeof index === 'number' ? index : 0
}

/** Puts blocks of thinking together: a signature seals every character of one, so the pieces for people won't do. */
export class ThinkingBlocks {
  readonly #open = new Map<number, JsonObject>()

  /** Of the blocks that have not been closed. */
  get numbers(): readonly number[] {
    return [...this.#open.keys()]
  }

  /** @param content Of a `content_block_start`; blocks of other types are let pass. */
  open(number: number, content: JsonObject): void {
    if (['thinking', 'redacted_thinking'].includes(typeOf(content))) this.#open.set(number, { ...content })
  }

  /** @param delta Of a `content_block_delta`. Thinking may come in a block of another type. */
  grow(number: number, delta: JsonObject): void {
    if (typeOf(delta) === 'thinking_delta') this.#append(number, 'thinking', delta.thinking)
    if (typeOf(delta) === 'signature_delta') this.#append(number, 'signature', delta.signature)
  }

  /** @returns the block, if it was one of thinking. */
  close(number: number): JsonObject | undefined {
    const block = this.#open.get(number)
    this.#open.delete(number)
    return block
  }

  #append(number: number, key: string, piece: Json | undefined): void {
    if (typeof piece !== 'string') return
    const block = this.#open.get(number) ?? { type: 'thinking', thinking: '' }
    this.#open.set(number, { ...block, [key]: `${textOf(block[key])}${piece}` })
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** What is shown of several content blocks, kept apart by blank lines where the blocks would run into each other. */
export class Paragraphs {
  readonly #distance: number
  #block: number | undefined
  #end = ''

  /** @param distance Blocks whose numbers differ by as much are kept apart; nearer ones are one text. */
  constructor(distance: number) {
    this.#distance = distance
  }

  /** @returns the piece, after a blank line where it is the first of a block that has to stand apart. */
  put(block: number, piece: string): string {
    const isApart = this.#block !== undefined && block - this.#block >= this.#distance
    const shown = isApart ? blankLineAfter(this.#end) + piece : piece
    this.#block = block
    this.#end = (this.#end + shown).slice(-2)
    return shown
  }

  /** Something else was shown, which stands apart by itself. */
  forget(): void {
    this.#block = undefined
  }
}

/** What a text with this end lacks. */
function blankLineAfter(end: string): string {
  if (end.endsWith('\n\n')) return ''
  return end.endsWith('\n') ? '\n' : '\n\n'
}
