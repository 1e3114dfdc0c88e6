/** Of the answer only a fenced code block, shown when the answer is whole. */

import { FailedError } from '../errors.ts'
import type { Sink } from '../io/io.ts'
import { harmless } from '../io/harmless.ts'
import type { Delta } from '../stream/delta.ts'
import { fencedBlocks } from './fenced-code.ts'
import type { Printer } from './printer.ts'

export class CodePrinter implements Printer {
  readonly #out: Sink
  readonly #fallback: Sink
  readonly #position: 'first' | 'last'
  readonly #texts = new Map<number, string>()

  /** @param fallback Takes the whole answer when there is no code block to show. */
  constructor(out: Sink, fallback: Sink, position: 'first' | 'last') {
    this.#out = out
    this.#fallback = fallback
    this.#position = position
  }

  take(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type === 'text') this.#texts.set(delta.index, (this.#texts.get(delta.index) ?? '') + delta.text)
    }
    return Promise.resolve()
  }

  /**
   * Of several answers the first one that has a code block counts.
   * @throws FailedError when there is none; the answer itself is then given to the fallback.
   */
  async finish(): Promise<void> {
    const blocks =
      this.#answers()
        .map(fencedBlocks)
        .find((found) => found.length > 0) ?? []
    const block = this.#position === 'first' ? blocks[0] : blocks.at(-1)
    if (block === undefined) {
      await this.breakOff()
      throw new FailedError('the answer has no fenced code block')
    }
    await this.#out.write(this.#out.isTerminal ? harmless(block) : block)
  }

  /** Half a program is nobody's answer, but it is not lost either. */
  async breakOff(): Promise<void> {
    const text = this.#answers().join('\n\n')
    if (text === '') return
    await this.#fallback.write(`${this.#fallback.isTerminal ? harmless(text) : text}${text.endsWith('\n') ? '' : '\n'}`)
  }

  #answers(): string[] {
    return [...this.#texts].sort(([a], [b]) => a - b).map(([, text]) => text)
  }
}
