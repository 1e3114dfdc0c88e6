/** Of the answer only a fenced code block, shown when the answer is whole. */

import { FailedError } from '../errors.ts'
import type { Sink } from '../io/io.ts'
import { sanitizeForTerminal } from '../io/sanitize.ts'
import type { Delta } from '../stream/delta.ts'
import { fencedBlock } from '../terminal/markdown/fenced-code.ts'
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
   * Of several answers each gives its block.
   * @throws FailedError when there is none; the answer itself is then given to the fallback.
   */
  async finish(): Promise<void> {
    const blocks = this.#answers().flatMap((answer) => fencedBlock(answer, this.#position) ?? [])
    if (blocks.length === 0) {
      await this.breakOff()
      throw new FailedError('the answer has no fenced code block')
    }
    const text = blocks.join('\n')
    await this.#out.write(this.#out.isTerminal ? sanitizeForTerminal(text) : text)
  }

  /** Half a program is nobody's answer, but it is not lost either. */
  async breakOff(): Promise<void> {
    const text = this.#answers().join('\n\n')
    if (text === '') return
    await this.#fallback.write(
      `${this.#fallback.isTerminal ? sanitizeForTerminal(text) : text}${text.endsWith('\n') ? '' : '\n'}`,
    )
  }

  #answers(): string[] {
    return [...this.#texts].sort(([a], [b]) => a - b).map(([, text]) => text)
  }
}
