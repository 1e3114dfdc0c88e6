/** What is written to standard error: notices, the trace of --debug, and failures. */

import { explain, SynError } from './errors.ts'
import { sanitizeForTerminal } from './io/sanitize.ts'
import type { Sink } from './io/io.ts'
import type { Secrets } from './io/secrets.ts'

export class Notices {
  /** Whether nothing but errors is to be seen. */
  readonly isQuiet: boolean
  /** Called before each line, by what draws where it will stand. */
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

  /** Something the user should know though nothing failed; silent with --quiet. */
  async info(text: string): Promise<void> {
    if (!this.isQuiet) await this.warn(text)
  }

  /** Something the user asked for by a flag of its own, and gets with --quiet too. */
  async warn(text: string): Promise<void> {
    await this.#writeLines([`syn: ${text}`])
  }

  /** A line of the trace that --debug asks for. */
  async debug(text: string): Promise<void> {
    if (this.#isDebug) await this.#write(`${this.#shown(`syn: debug: ${text}`)}\n`)
  }

  /**
   * What failed, and what to do about it.
   * @returns the exit status.
   */
  async fail(error: unknown): Promise<number> {
    const { code, message, hint } = explain(error)
    await this.#writeLines([
      ...(message === '' ? [] : [`syn: ${message}`]),
      ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ])
    if (this.#isDebug && error instanceof Error) await this.#write(`${this.#shown(stackOf(error))}\n`)
    return code
  }

  /** On a terminal, broken between words. */
  async #writeLines(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return
    let lines = texts.map((text) => this.#shown(text))
    if (this.#err.isTerminal) {
      const { wrapWords } = await import('./terminal/width.ts')
      lines = lines.flatMap((line) => wrapWords(line, this.#err.columns()))
    }
    await this.#write(lines.map((line) => `${line}\n`).join(''))
  }

  /** Masked before it is broken into lines, which a key in it must not hide from. */
  #shown(text: string): string {
    const masked = this.#secrets.mask(text)
    return this.#err.isTerminal ? sanitizeForTerminal(masked) : masked
  }

  async #write(text: string): Promise<void> {
    this.beforeWrite?.()
    await this.#err.write(text)
  }
}

function stackOf(error: Error): string {
  const cause = error instanceof SynError && error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
