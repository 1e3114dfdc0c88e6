/** Prints only a fenced code block of the answer, once the answer is complete (`--extract`). */

import { FailedError } from '../errors.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'
import { fencedBlocks } from '../terminal/markdown/fenced-code.ts'
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

/** @param answer Keeps the texts. @throws FailedError at the end if no answer has a code block. */
export function codePrinter(out: Sink, answer: Answer, options: CodePrinterOptions): Printer {
  const { fallback, position, warnWithout, signal } = options

  /** An incomplete code block is no result; the answer goes to the fallback. */
  const interrupt = async (): Promise<void> => {
    const texts = answer.choices.flatMap(([, { text }]) => (text === '' ? [] : [text]))
    const text = texts.join('\n\n')
    if (text !== '') await writeText(fallback, text.endsWith('\n') ? text : `${text}\n`)
  }

  /** Prints the block of each answer that has one. If none has one, the answers go to the fallback. */
  const finish = async (): Promise<void> => {
    const answers: { index: number; block: string | undefined }[] = []
    for (const [index, { text }] of answer.choices) {
      answers.push({ index, block: (await fencedBlocks(text, signal)).at(position === 'first' ? 0 : -1) })
    }
    const blocks = answers.flatMap(({ block }) => block ?? [])
    if (blocks.length === 0) {
      await interrupt()
      throw new FailedError('the answer has no fenced code block')
    }
    await writeText(out, blocks.join('\n'))
    for (const { index, block } of answers) if (block === undefined) await warnWithout(index)
  }

  return { print: () => Promise.resolve(), finish, interrupt }
}
