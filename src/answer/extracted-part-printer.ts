import { FailedError } from '../errors.ts'
import { type Sink, writeText } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'
import type { Printer } from './printer.ts'

interface ExtractedPartOptions {
  /** Gets the whole answer if it has no such part. */
  readonly fallback: Sink
  /** @returns the part of the text of a choice; `undefined` if there is none. */
  partOf(text: string, index: number): Promise<string | undefined>
  /** Called for each answer without the part, if another one has it. */
  warnWithout(index: number): Promise<void>
}

/**
 * A part of the answer, once it is complete: a fenced code block (`--extract`), or checked JSON (`--schema`).
 * @param answer Keeps the texts. @throws FailedError at the end if no answer has the part.
 */
export function extractedPartPrinter(
  out: Sink,
  answer: Answer,
  { fallback, partOf, warnWithout }: ExtractedPartOptions,
): Printer {
  /** An incomplete part is no result; the answer goes to the fallback. */
  const interrupt = async (): Promise<void> => {
    const texts = answer.choices.flatMap(([, { text }]) => (text === '' ? [] : [text]))
    if (texts.length > 0) await writeText(fallback, withLineEnd(texts.join('\n\n')))
  }

  /** Prints the part of each answer that has one. If none has one, the answers go to the fallback. */
  const finish = async (): Promise<void> => {
    const found: [index: number, part: string | undefined][] = []
    try {
      for (const [index, { text }] of answer.choices) found.push([index, await partOf(text, index)])
      if (found.every(([, part]) => part === undefined)) throw new FailedError('the answer has no fenced code block')
    } catch (error) {
      if (error instanceof FailedError) await interrupt()
      throw error
    }
    const parts = found.flatMap(([, part]) => part ?? [])
    await writeText(out, parts.map(withLineEnd).join('\n'))
    for (const [index, part] of found) if (part === undefined) await warnWithout(index)
  }

  return { print: () => Promise.resolve(), finish, interrupt, restart: () => undefined }
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
