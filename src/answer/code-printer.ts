/** Prints only a fenced code block of the answer, once the answer is complete (`--extract`). */

import { FailedError } from '../errors.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Delta } from '../stream/delta.ts'
import { fencedBlock } from '../terminal/markdown/fenced-code.ts'
import type { Printer } from './printer.ts'

export class CodePrinter implements Printer {
  readonly #out: Sink
  readonly #fallback: Sink
  readonly #position: 'first' | 'last'
  readonly #texts = new Map<number, string>()

  /** @param fallback Gets the whole answer if it has no code block. */
  constructor(out: Sink, fallback: Sink, position: 'first' | 'last') {
    this.#out = out
    this.#fallback = fallback
    this.#position = position
  }

  print(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type === 'text') this.#texts.set(delta.index, (this.#texts.get(delta.index) ?? '') + delta.text)
    }
    return Promise.resolve()
  }

  /**
   * Prints the block of each answer that has one.
   * @throws FailedError if no answer has one; the answers then go to the fallback.
   */
  async finish(): Promise<void> {
    const blocks = this.#answers().flatMap((answer) => fencedBlock(answer, this.#position) ?? [])
    if (blocks.length === 0) {
      await this.interrupt()
      throw new FailedError('the answer has no fenced code block')
    }
    await writeText(this.#out, blocks.join('\n'))
  }

  /** An incomplete code block is no result; the answer goes to the fallback. */
  async interrupt(): Promise<void> {
    const text = this.#answers().join('\n\n')
    if (text === '') return
    await writeText(this.#fallback, text.endsWith('\n') ? text : `${text}\n`)
  }

  #answers(): string[] {
    return [...this.#texts].sort(([a], [b]) => a - b).map(([, text]) => text)
  }
}
