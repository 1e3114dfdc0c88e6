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
  readonly #warnWithout: (index: number) => Promise<void>
  /** By index; empty for an answer without text, such as one that only calls tools. */
  readonly #texts = new Map<number, string>()

  /**
   * @param fallback Gets the whole answer if it has no code block.
   * @param warnWithout Called for each answer without a code block, if another one has one.
   */
  constructor(out: Sink, fallback: Sink, position: 'first' | 'last', warnWithout: (index: number) => Promise<void>) {
    this.#out = out
    this.#fallback = fallback
    this.#position = position
    this.#warnWithout = warnWithout
  }

  print(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (!('index' in delta)) continue
      const text = delta.type === 'text' ? delta.text : ''
      this.#texts.set(delta.index, (this.#texts.get(delta.index) ?? '') + text)
    }
    return Promise.resolve()
  }

  /**
   * Prints the block of each answer that has one.
   * @throws FailedError if no answer has one; the answers then go to the fallback.
   */
  async finish(): Promise<void> {
    const answers = this.#answers().map(([index, text]) => ({ index, block: fencedBlock(text, this.#position) }))
    const blocks = answers.flatMap(({ block }) => block ?? [])
    if (blocks.length === 0) {
      await this.interrupt()
      throw new FailedError('the answer has no fenced code block')
    }
    await writeText(this.#out, blocks.join('\n'))
    for (const { index, block } of answers) if (block === undefined) await this.#warnWithout(index)
  }

  /** An incomplete code block is no result; the answer goes to the fallback. */
  async interrupt(): Promise<void> {
    const texts = this.#answers().flatMap(([, text]) => (text === '' ? [] : [text]))
    const text = texts.join('\n\n')
    if (text === '') return
    await writeText(this.#fallback, text.endsWith('\n') ? text : `${text}\n`)
  }

  #answers(): [index: number, text: string][] {
    return [...this.#texts].sort(([a], [b]) => a - b)
  }
}
