/** Blocks of thinking, whole: a signature seals every character of one, so that the pieces for people won't do. */

import type { Json, JsonObject } from '../../io/json.ts'
import { typeOf } from './type-of.ts'

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
