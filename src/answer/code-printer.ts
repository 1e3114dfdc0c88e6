/** Prints only a fenced code block of the answer, once the answer is complete (`--extract`). */

import { FailedError } from '../errors.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { AnswerAccumulator } from '../stream/answer-accumulator.ts'
import { fencedBlock } from '../terminal/markdown/fenced-code.ts'
import type { Printer } from './printer.ts'

export interface CodePrinterOptions {
  /** Gets the whole answer if it has no code block. */
  readonly fallback: Sink
  readonly position: 'first' | 'last'
  /** Called for each answer without a code block, if another one has one. */
  warnWithout(index: number): Promise<void>
  /** Stops the search in a long answer. */
  readonly signal: AbortSignal
}

export class CodePrinter implements Printer {
  readonly #out: Sink
  readonly #answer: AnswerAccumulator
  readonly #options: CodePrinterOptions

  /** @param answer Keeps the texts. */
  constructor(out: Sink, answer: AnswerAccumulator, options: CodePrinterOptions) {
    this.#out = out
    this.#answer = answer
    this.#options = options
  }

  print(): Promise<void> {
    return Promise.resolve()
  }

  /**
   * Prints the block of each answer that has one.
   * @throws FailedError if no answer has one; the answers then go to the fallback.
   */
  async finish(): Promise<void> {
    const { position, warnWithout, signal } = this.#options
    const answers: { index: number; block: string | undefined }[] = []
    for (const [index, { text }] of this.#answer.choices) {
      answers.push({ index, block: await fencedBlock(text, position, signal) })
    }
    const blocks = answers.flatMap(({ block }) => block ?? [])
    if (blocks.length === 0) {
      await this.interrupt()
      throw new FailedError('the answer has no fenced code block')
    }
    await writeText(this.#out, blocks.join('\n'))
    for (const { index, block } of answers) if (block === undefined) await warnWithout(index)
  }

  /** An incomplete code block is no result; the answer goes to the fallback. */
  async interrupt(): Promise<void> {
    const texts = this.#answer.choices.flatMap(([, { text }]) => (text === '' ? [] : [text]))
    const text = texts.join('\n\n')
    if (text === '') return
    await writeText(this.#options.fallback, text.endsWith('\n') ? text : `${text}\n`)
  }
}
