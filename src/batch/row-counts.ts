/** Counts the rows of a run, for its progress and its summary. */

import { tokenCounts } from '../answer/usage-text.ts'
import { FailedError, NetworkError, type SynError } from '../errors.ts'
import { addUsage, type Usage } from '../stream/delta.ts'
import { roughDuration } from '../terminal/progress.ts'
import { grouped } from '../io/text/plural.ts'
import type { Forecast } from './forecast.ts'
import type { RowResult } from './row.ts'

export class RowCounts {
  readonly forecast: Forecast
  readonly #now: () => number
  readonly #started: number
  /** The rows of earlier runs included. */
  succeeded = 0
  /** How many of the succeeded ones ended at the token limit. */
  #cutOff = 0
  failed = 0
  /** When the run ended; `undefined` if the service did not say. */
  quotaLeft: string | undefined
  #networkFailures = 0
  #usage: Usage | undefined

  constructor(now: () => number, forecast: Forecast) {
    this.forecast = forecast
    this.#now = now
    this.#started = now()
  }

  /** Counts what earlier runs have, or all that was written. */
  set(succeeded: number, failed: number, cutOff = 0): void {
    this.succeeded = succeeded
    this.failed = failed
    this.#cutOff = cutOff
  }

  add({ error, isCutOff, usage }: Pick<RowResult, 'error' | 'isCutOff' | 'usage'>): void {
    if (error) {
      this.failed += 1
      if (error.code === 'network' || error.code === 'timeout') this.#networkFailures += 1
    } else {
      this.succeeded += 1
      if (isCutOff) this.#cutOff += 1
    }
    if (usage) this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage
  }

  /** The error of a run with failed rows: that of a network if the service has not answered a single row. */
  failure(message: string, hint?: string): SynError {
    const Failure = this.failed > 0 && this.finished === this.#networkFailures ? NetworkError : FailedError
    return new Failure(message, { hint })
  }

  get finished(): number {
    return this.succeeded + this.failed
  }

  /** What the progress shows of it. */
  get state() {
    return { done: this.finished, failed: this.failed, cost: this.forecast.cost }
  }

  /** `994 succeeded (3 cut off at the token limit), 6 failed · NOTES · 12,345 prompt + 678 completion tokens · $0.12 in this run · 5 min · 3.2 of 500 requests left` */
  summary(notes: readonly string[]): string {
    const cutOff = this.#cutOff === 0 ? '' : ` (${grouped(this.#cutOff)} cut off at the token limit)`
    const failed = this.failed === 0 ? '' : `, ${grouped(this.failed)} failed`
    return [
      `${grouped(this.succeeded)} succeeded${cutOff}${failed}`,
      ...notes,
      ...(this.#usage ? [tokenCounts(this.#usage)] : []),
      this.forecast.summary,
      roughDuration(this.#now() - this.#started),
      this.quotaLeft,
    ]
      .filter((part) => part !== undefined)
      .join(' · ')
  }
}
