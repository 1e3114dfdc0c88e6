/** When so many rows have failed that no other is sent: `--max-errors`, or all of the first ones. */

import { exitCodes, StatusError, SynError, withMessage } from '../../errors.ts'
import type { CountOrPercentage } from '../../fields/notations.ts'
import { pluralize } from '../../io/text/plural.ts'

/** `--max-errors`: a share of fewer rows is chance. */
const minJudged = 100

/** Without a limit: a run whose first rows all fail has something wrong with it. */
const maxFirstFailures = 25

class TooManyErrors extends SynError {
  override readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** An error that ends the requests to one of several models, with its name; `undefined` for one that ends the run. */
export function errorOfModel(error: unknown, model: string): SynError | undefined {
  if (!(error instanceof StatusError || error instanceof TooManyErrors)) return undefined
  const isGone =
    'missing' in error && (error.missing === 'model' || (error.status === 404 && error.missing !== 'endpoint'))
  return isGone || error instanceof TooManyErrors ? withMessage(error, `${model}: ${error.message}`) : undefined
}

/** Counts the rows that finish in this run. */
export class ErrorCount {
  readonly #limit: CountOrPercentage | undefined
  #finished = 0
  #failed = 0
  /** What the latest row failed with: its message, and the exit status if all are like it. */
  #last: readonly [message: string, code: number] = ['', exitCodes.failed]

  constructor(limit: CountOrPercentage | undefined) {
    this.#limit = limit
  }

  succeed(): void {
    this.#finished++
  }

  fail(message: string, code: number = exitCodes.failed): void {
    this.#finished++
    this.#failed++
    this.#last = [message, code]
  }

  /** Whether so many of the first rows failed that nothing else should be sent before those in flight have finished. */
  get hasOnlyFailures(): boolean {
    return !this.#limit && this.#failed === this.#finished && this.#failed >= maxFirstFailures
  }

  /** Why no other row may be sent; `undefined` if one may. */
  stopError(): SynError | undefined {
    const [message, code] = this.#last
    const last = `failed, the last one with: ${message}`
    if (this.hasOnlyFailures) return new TooManyErrors(`the first ${this.#failed} rows ${last}`, code)
    const { value, isPercent } = this.#limit ?? { value: Infinity, isPercent: false }
    const isTooMany = isPercent
      ? this.#finished >= minJudged && this.#failed * 100 > value * this.#finished
      : this.#failed > value
    return isTooMany ? new TooManyErrors(`${pluralize(this.#failed, 'row')} ${last}`, exitCodes.failed) : undefined
  }
}
