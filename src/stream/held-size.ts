/**
 * Limits what replies make syn hold, so that none fills the memory. All sizes are in characters of decoded text, or in bytes
 * before it is decoded.
 */

import { NetworkError } from '../errors.ts'
import { countValues } from '../io/json/json.ts'
import type { Delta } from './delta.ts'

export const mebibyte = 1024 * 1024

/** What must be whole: a reply that is not streamed, and of a streamed answer what is needed until it ends. */
export const maxWhole = 64 * mebibyte

/** What all replies that arrive at the same time may hold: `syn batch` may have 256 of them. */
const maxTogether = 4 * maxWhole

/** Anything else that is held until more arrives, such as white space before a reply. */
export const maxHeldBack = mebibyte

/** What those who read an answer keep of each choice, and of each tool call: measured, a million choices took 1 GB. */
const sizeOfPart = 1024

/** Of a small object, beside its texts. */
const sizeOfDelta = 32

/** Of a value of parsed JSON. With the names and texts of a usual chunk, its characters are more than that. */
const sizeOfValue = 16

/** More than a choice can have. */
const callsOfChoice = 2 ** 32

/** What of an answer is held until it ends: its deltas, what the service sent, or tool calls and choices that wait. */
export type Held = 'deltas' | 'chunks' | 'rest'

/** What all replies of a run hold at the moment. */
export class HeldTogether {
  #size = 0

  /** @throws NetworkError beyond the limit. */
  add(size: number): void {
    this.#size += size
    if (this.#size <= maxTogether) return
    throw new NetworkError(
      `the replies that arrive at the same time are larger than the limit of ${maxTogether / mebibyte} MiB`,
    )
  }

  release(size: number): void {
    this.#size -= size
  }
}

/** What a caller holds of one answer. */
export class HeldSize {
  readonly #held: Held
  readonly #together: HeldTogether
  readonly #choices = new Set<number>()
  readonly #calls = new Set<number>()
  #firstChoice: number | undefined
  #size = 0

  constructor(held: Held, together = new HeldTogether()) {
    this.#held = held
    this.#together = together
  }

  /** @throws NetworkError beyond the limit. */
  add(deltas: readonly Delta[]): void {
    const before = this.#size
    this.#count(deltas)
    this.#together.add(this.#size - before)
    if (this.#size <= maxWhole) return
    const hint = 'as text or with --jsonl in a pipe, and not saved, an answer may have any length'
    const message = `the answer is larger than the limit of ${maxWhole / mebibyte} MiB`
    throw new NetworkError(message, this.#held === 'rest' ? {} : { hint })
  }

  /** Call when the answer has ended. */
  release(): void {
    this.#together.release(this.#size)
  }

  #count(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if ('index' in delta && !this.#choices.has(delta.index)) {
        this.#choices.add(delta.index)
        this.#firstChoice ??= delta.index
        this.#size += sizeOfPart
      }
      const call = delta.type === 'tool' ? delta.index * callsOfChoice + delta.call : undefined
      if (call !== undefined && !this.#calls.has(call)) {
        this.#calls.add(call)
        this.#size += sizeOfPart
      }
      if (this.#isHeld(delta)) this.#size += sizeOfDelta + sizeOf(delta)
    }
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
      return delta.text.length
    case 'chunk':
      return delta.text.length + sizeOfValues(delta.text)
    case 'tool':
      return (delta.id?.length ?? 0) + (delta.name?.length ?? 0) + (delta.arguments?.length ?? 0)
    case 'thinking':
      return JSON.stringify(delta.block).length
    case 'logprobs':
      return delta.tokens.reduce((size, { token }) => size + token.length + sizeOfDelta, 0)
    case 'start':
    case 'usage':
    case 'end':
    case 'quota':
      return sizeOfDelta
  }
}

/**
 * What the values of a chunk take beyond its characters. To count them all takes 7 % of the time of `--json`: of short chunks,
 * one in sixteen is counted, for all of them. Which one is random, so that no service can know it.
 */
function sizeOfValues(text: string): number {
  const count = text.length > 4096 ? 1 : 16
  if (Math.random() * count >= 1) return 0
  return count * Math.max(0, sizeOfValue * countValues(text) - text.length)
}
