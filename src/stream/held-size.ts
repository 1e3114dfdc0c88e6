/** Limits what an answer makes syn hold, so that no reply fills the memory. All sizes are in characters, of decoded text. */

import { NetworkError } from '../errors.ts'
import type { Delta } from './delta.ts'

export const mebibyte = 1024 * 1024

/** What must be whole: a reply that is not streamed, and of a streamed answer what is needed until it ends. */
export const maxWhole = 64 * mebibyte

/** Anything else that is held until more arrives, such as white space before a reply. */
export const maxHeldBack = mebibyte

/** What those who read an answer keep of each choice, and of each tool call: measured, a million choices took 1 GB. */
const sizeOfPart = 1024

/** What of an answer is held until it ends: its deltas, what the service sent, or tool calls and choices that wait. */
export type Held = 'deltas' | 'chunks' | 'rest'

export class HeldSize {
  readonly #held: Held
  readonly #choices = new Set<number>()
  #firstChoice: number | undefined
  #size = 0

  constructor(held: Held) {
    this.#held = held
  }

  /** @throws NetworkError beyond the limit. */
  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if ('index' in delta && !this.#choices.has(delta.index)) {
        this.#choices.add(delta.index)
        this.#firstChoice ??= delta.index
        this.#size += sizeOfPart
      }
      if (this.#isHeld(delta)) this.#size += sizeOf(delta)
    }
    if (this.#size <= maxWhole) return
    const hint =
      this.#held === 'rest'
        ? undefined
        : 'as text or with --jsonl in a pipe, and not saved, an answer may have any length'
    throw new NetworkError(`the answer is larger than the limit of ${maxWhole / mebibyte} MiB`, { hint })
  }

  #isHeld(delta: Delta): boolean {
    if (this.#held !== 'rest') return (delta.type === 'chunk') === (this.#held === 'chunks')
    if (delta.type === 'tool' || delta.type === 'refusal') return true
    return 'index' in delta && delta.index !== this.#firstChoice
  }
}

/** About what a delta takes while it is held. */
export function sizeOf(delta: Delta): number {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'chunk':
      return delta.text.length
    case 'tool':
      return (delta.arguments?.length ?? 0) + (delta.name === undefined ? 0 : sizeOfPart)
    case 'thinking':
      return JSON.stringify(delta.block).length
    case 'logprobs':
      return delta.tokens.reduce((size, { token }) => size + token.length + sizeOfToken, 0)
    case 'start':
    case 'usage':
    case 'end':
    case 'quota':
      return sizeOfToken
  }
}

/** Of a small object. */
const sizeOfToken = 32
