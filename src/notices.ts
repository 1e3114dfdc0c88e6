/** What is said on standard error besides errors. */

import { harmless } from './io/harmless.ts'
import type { Sink } from './io/io.ts'
import type { Secrets } from './io/secrets.ts'

export class Notices {
  /** Told before each line, for whoever draws where it will stand. */
  beforeSaying: (() => void) | undefined
  readonly #err: Sink
  readonly #secrets: Secrets
  readonly #isQuiet: boolean
  readonly #isDebug: boolean

  constructor(err: Sink, secrets: Secrets, options: { quiet?: boolean | undefined; debug?: boolean | undefined }) {
    this.#err = err
    this.#secrets = secrets
    this.#isQuiet = options.quiet ?? false
    this.#isDebug = options.debug ?? false
  }

  /** Something the user should know though nothing failed; silent with --quiet. */
  async say(text: string): Promise<void> {
    if (!this.#isQuiet) await this.tell(text)
  }

  /** Something the user asked for by a flag of its own, and gets with --quiet too. */
  async tell(text: string): Promise<void> {
    await this.#write(`syn: ${text}\n`)
  }

  /** A line of the trace that --debug asks for. */
  async debug(text: string): Promise<void> {
    if (this.#isDebug) await this.#write(`syn: debug: ${text}\n`)
  }

  async #write(text: string): Promise<void> {
    this.beforeSaying?.()
    const masked = this.#secrets.mask(text)
    await this.#err.write(this.#err.isTerminal ? harmless(masked) : masked)
  }
}
