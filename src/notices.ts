/** What is said on standard error besides errors. */

import { harmless } from './io/harmless.ts'
import type { Sink } from './io/io.ts'
import type { Secrets } from './io/secrets.ts'

/** The lines of a text that may be too wide. Handed in, and async, because it is loaded only where somebody reads. */
export type Wrap = (text: string, columns: number) => Promise<readonly string[]>

export class Notices {
  /** Told before each line, for whoever draws where it will stand. */
  beforeSaying: (() => void) | undefined
  readonly #err: Sink
  readonly #secrets: Secrets
  readonly #isQuiet: boolean
  readonly #isDebug: boolean
  readonly #wrap: Wrap

  constructor(
    err: Sink,
    secrets: Secrets,
    options: { quiet?: boolean | undefined; debug?: boolean | undefined },
    wrap: Wrap,
  ) {
    this.#err = err
    this.#secrets = secrets
    this.#wrap = wrap
    this.#isQuiet = options.quiet ?? false
    this.#isDebug = options.debug ?? false
  }

  /** Something the user should know though nothing failed; silent with --quiet. */
  async say(text: string): Promise<void> {
    if (!this.#isQuiet) await this.tell(text)
  }

  /** Something the user asked for by a flag of its own, and gets with --quiet too. */
  async tell(text: string): Promise<void> {
    const shown = this.#shown(`syn: ${text}`)
    const lines = this.#err.isTerminal ? await this.#wrap(shown, this.#err.columns()) : [shown]
    await this.#write(`${lines.join('\n')}\n`)
  }

  /** A line of the trace that --debug asks for. */
  async debug(text: string): Promise<void> {
    if (this.#isDebug) await this.#write(this.#shown(`syn: debug: ${text}\n`))
  }

  /** Masked before it is broken into lines, which a key in it must not hide from. */
  #shown(text: string): string {
    const masked = this.#secrets.mask(text)
    return this.#err.isTerminal ? harmless(masked) : masked
  }

  async #write(text: string): Promise<void> {
    this.beforeSaying?.()
    await this.#err.write(text)
  }
}
