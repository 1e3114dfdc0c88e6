/** All text written to standard error: notices, the log of --debug, and errors. */

import { explain, SynError } from './errors.ts'
import { hintWords, type HintAudience } from './hint-words.ts'
import { type Sink, writeText } from './io/io.ts'
import { linesOf, sanitizeForTerminal } from './io/text/safe-text.ts'
import type { Secrets } from './io/secrets.ts'

export class Notices {
  /** Whether --quiet hides everything but errors. */
  readonly isQuiet: boolean
  /** Who reads them. */
  voice: HintAudience = {}
  /** Called before each write, to clear a spinner or progress line. */
  beforeWrite: (() => void) | undefined
  readonly #err: Sink
  readonly #secrets: Secrets
  readonly #isDebug: boolean

  constructor(err: Sink, secrets: Secrets, options: { quiet?: boolean | undefined; debug?: boolean | undefined }) {
    this.#err = err
    this.#secrets = secrets
    this.isQuiet = options.quiet ?? false
    this.#isDebug = options.debug ?? false
  }

  /** A notice; silenced by --quiet. */
  async info(text: string): Promise<void> {
    if (!this.isQuiet) await this.summary(text)
  }

  /** A warning, which --quiet does not silence, and what to do about it. */
  async warn(text: string, hint?: string): Promise<void> {
    await this.#writeLines([`syn: ${text}`, ...(hint === undefined ? [] : [`hint: ${hint}`])])
  }

  /** What a flag asked for, such as --usage, or how far a run came; --quiet does not silence it. */
  async summary(text: string): Promise<void> {
    await this.#writeLines([`syn: ${text}`])
  }

  /** A line of the --debug log. */
  async debug(text: () => string): Promise<void> {
    if (this.#isDebug) await this.#write([`syn: debug: ${text()}`])
  }

  /**
   * Reports a failure and its hint.
   * @returns the exit status.
   */
  async fail(error: unknown): Promise<number> {
    const { code, message, hint = '' } = explain(error)
    const words = hintWords(hint, this.voice)
    await this.#writeLines([
      ...(message === '' ? [] : [`syn: ${message}`]),
      ...(words === '' ? [] : [`hint: ${words}`]),
    ])
    if (this.#isDebug && error instanceof Error) await this.#write([stackOf(error)])
    return code
  }

  /** Wraps words on a terminal. */
  async #writeLines(texts: readonly string[]): Promise<void> {
    const err = this.#err
    if (texts.length === 0) return
    if (!err.isTerminal) return this.#write(texts)
    const { wrapWords } = await import('./terminal/wrap-words.ts')
    // Masked before lines are wrapped: a key broken across two lines would not be found.
    const lines = texts.map((text) => sanitizeForTerminal(this.#secrets.maskNotice(text)))
    this.beforeWrite?.()
    await err.write(linesOf(lines.flatMap((line) => wrapWords(line, err.columns()))))
  }

  async #write(texts: readonly string[]): Promise<void> {
    this.beforeWrite?.()
    await writeText(this.#err, texts.map((text) => `${this.#secrets.maskNotice(text)}\n`).join(''))
  }
}

function stackOf(error: Error): string {
  const cause = error instanceof SynError && error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
