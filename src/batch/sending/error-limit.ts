/** `--max-errors`: how many rows may fail before the run stops. */

import { exitCodes, explain, SynError, UsageError } from '../../errors.ts'
import { quote } from '../../io/json.ts'
import { pluralize } from '../../io/plural.ts'

export interface ErrorLimit {
  readonly value: number
  /** Of the finished rows. */
  readonly isPercent: boolean
}

/** A share of fewer rows is chance. */
const minJudged = 100

/** Without a limit: a run whose first rows all fail has something wrong with it. */
const maxFirstFailures = 25

/** @throws UsageError for anything but a whole number, or a percentage up to 100. */
export function parseErrorLimit(text: string): ErrorLimit {
  const [, count, percent] = /^(?:(\d+)|(\d+(?:\.\d+)?)%)$/.exec(text) ?? []
  const value = Number(count ?? percent)
  if (!Number.isFinite(value) || (percent !== undefined && value > 100)) {
    throw new UsageError(
      `--max-errors: ${quote(text)} is not accepted; expected a count such as 10, or a percentage from 0% to 100%`,
    )
  }
  return { value, isPercent: percent !== undefined }
}

/** Too many rows failed. */
export class TooManyErrors extends SynError {
  override readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Counts the rows that finish in this run. */
export class ErrorCount {
  readonly #limit: ErrorLimit | undefined
  #finished = 0
  #failed = 0
  #last: { readonly message: string; readonly code: number } | undefined

  constructor(limit: ErrorLimit | undefined) {
    this.#limit = limit
  }

  succeed(): void {
    this.#finished++
  }

  /** @param error What the row failed with, or its message. */
  fail(error: unknown): void {
    this.#finished++
    this.#failed++
    const { message, code } = typeof error === 'string' ? { message: error, code: exitCodes.failed } : explain(error)
    this.#last = { message, code }
  }

  /** Whether so many of the first rows failed that nothing else should be sent before those in flight have finished. */
  get hasOnlyFailures(): boolean {
    return !this.#limit && this.#failed === this.#finished && this.#failed >= maxFirstFailures
  }

  /** Why no other row may be sent; `undefined` if one may. */
  stopError(): TooManyErrors | undefined {
    if (!this.#last || !this.#isTooMany()) return undefined
    const { message, code } = this.#last
    if (this.#limit)
      return new TooManyErrors(`${pluralize(this.#failed, 'row')} failed, the last one with: ${message}`, 1)
    return new TooManyErrors(`the first ${this.#failed} rows failed, the last one with: ${message}`, code)
  }

  #isTooMany(): boolean {
    if (!this.#limit) return this.hasOnlyFailures
    const { value, isPercent } = this.#limit
    if (!isPercent) return this.#failed > value
    return this.#finished >= minJudged && this.#failed * 100 > value * this.#finished
  }
}
