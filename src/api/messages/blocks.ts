/** The content blocks of a streamed message (section 4, note 6). */

import { NetworkError } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../io/json/json.ts'

/** The type of an event, a block or a delta; '' if it has none. */
export function typeOf(value: Json | undefined): string {
  return isObject(value) && typeof value.type === 'string' ? value.type : ''
}

/** Something of each is kept, as of each answer of the other APIs. */
const maxBlocks = 65_536

/** Numbers the content blocks of a streamed message in the order of their start, and finds the block of an event. */
export class BlockNumbers {
  readonly #open = new Map<number, number>()
  #next = 0

  /**
   * Starts a block. Its index may have been used before: some services give all blocks the same index.
   * @throws NetworkError for one too many.
   */
  start(index: Json | undefined): number {
    if (this.#next === maxBlocks) throw new NetworkError(`the service sent more than ${maxBlocks} content blocks`)
    const number = this.#next++
    this.#open.set(position(index), number)
    return number
  }

  /** The number of an open block. Starts a block if the service did not. */
  of(index: Json | undefined): number {
    return this.#open.get(position(index)) ?? this.start(index)
  }
}

/** A missing index means the first block. */
function position(index: Json | undefined): number {
  return typeof index === 'number' ? index : 0
}

/** Collects thinking blocks unchanged: the signature covers every character, so the displayed text cannot be used. */
export class ThinkingBlocks {
  readonly #open = new Map<number, JsonObject>()

  /** The numbers of the blocks that are still open. */
  get numbers(): readonly number[] {
    return [...this.#open.keys()]
  }

  /** @param content Of a `content_block_start`; blocks of other types are ignored. */
  open(number: number, content: JsonObject): void {
    if (['thinking', 'redacted_thinking'].includes(typeOf(content))) this.#open.set(number, { ...content })
  }

  /** @param delta Of a `content_block_delta`. Thinking may come in a block of another type. */
  append(number: number, delta: JsonObject): void {
    if (typeOf(delta) === 'thinking_delta') this.#appendTo(number, 'thinking', delta.thinking)
    if (typeOf(delta) === 'signature_delta') this.#appendTo(number, 'signature', delta.signature)
  }

  /** @returns the block, if it is a thinking block. */
  close(number: number): JsonObject | undefined {
    const block = this.#open.get(number)
    this.#open.delete(number)
    return block
  }

  #appendTo(number: number, key: string, piece: Json | undefined): void {
    if (typeof piece !== 'string') return
    const block = this.#open.get(number) ?? { type: 'thinking', thinking: '' }
    const text = block[key]
    block[key] = typeof text === 'string' ? text + piece : piece
    this.#open.set(number, block)
  }
}

/** Inserts blank lines between the displayed texts of content blocks. */
export class Paragraphs {
  readonly #distance: number
  #block: number | undefined
  /** The end of the text so far: at least two characters, if it has as many. */
  #end = ''

  /** @param distance Blocks whose numbers differ by at least this are separated; nearer ones are one text. */
  constructor(distance: number) {
    this.#distance = distance
  }

  /** @returns the piece, after a blank line if it starts a block to be separated. */
  add(block: number, piece: string): string {
    const isSeparate = this.#block !== undefined && block - this.#block >= this.#distance
    const shown = isSeparate ? blankLineAfter(this.#end) + piece : piece
    this.#block = block
    this.#end = shown.length > 1 ? shown : this.#end.slice(-1) + shown
    return shown
  }

  /** Call when other text was shown, which needs no blank line. */
  reset(): void {
    this.#block = undefined
  }
}

/** The line ends missing for a blank line after a text. */
function blankLineAfter(end: string): string {
  if (end.endsWith('\n\n')) return ''
  return end.endsWith('\n') ? '\n' : '\n\n'
}
