/** The rows that wait to be sent: those that were read from the input, and those that are sent again. */

import type { RowRequest } from '../row.ts'

/** A row that has not finished. */
export interface PendingRow {
  readonly request: RowRequest
  attempts: number
  refusals: number
  /** How many rows had been answered when it failed first. */
  answeredBefore?: number
  faults: number
  /** Whether all models that may answer it are asked in each attempt. */
  asksAll?: boolean
  /** When it may be sent. */
  due: number
}

/** With more rows that wait to be sent again, which are not in flight, no other row is started. */
const maxDelayed = 64

/** In milliseconds: more is not waited for one row. */
const longestDelay = 3_600_000

/** Times are in milliseconds, from any clock. */
export class RowQueue {
  readonly #onChange: (failure?: { readonly error: unknown }) => void
  #iterator: AsyncIterator<readonly RowRequest[]> | undefined
  /** What was pulled, and how much of it was started. */
  #pulled: readonly RowRequest[] = []
  #started = 0
  #isPulling = false
  #hasAll = false
  /** Sorted by when they are due. */
  readonly #delayed: PendingRow[] = []

  /** @param onChange Called when rows or their end were read, or with what the input throws. */
  constructor(onChange: (failure?: { readonly error: unknown }) => void) {
    this.#onChange = onChange
  }

  /** @param rows Read only when one can be sent. */
  read(rows: AsyncIterable<readonly RowRequest[]>): void {
    this.#iterator = rows[Symbol.asyncIterator]()
  }

  close(): void {
    // Nothing awaits this: the input may be a pipe that nobody writes to.
    if (!this.#hasAll) void this.#iterator?.return?.().catch(() => undefined)
  }

  /** Whether each row of the input was started. */
  get hasStartedAll(): boolean {
    return this.#hasAll && this.#left === 0
  }

  get isEmpty(): boolean {
    return this.hasStartedAll && this.#delayed.length === 0
  }

  /** The row that is sent again first. */
  get firstDelayed(): PendingRow | undefined {
    return this.#delayed[0]
  }

  /** Finds out whether rows are left, if no row is. */
  look(): void {
    if (this.#left === 0 && !this.#hasAll) this.#pull()
  }

  /** When there is a row to send; `undefined` if an event must come first. @param isProbe In an outage, any row can be the probe. */
  nextAt(now: number, isProbe: boolean): number | undefined {
    const first = this.firstDelayed
    if (first && first.due <= now && !isProbe) return now
    if (this.#takesNew(isProbe)) {
      if (this.#left > 0) return now
      this.look()
    }
    return first && isProbe ? now : first?.due
  }

  /** A probe is another row if possible: the service may fail on this one each time. */
  take(now: number, isProbe: boolean): PendingRow {
    const first = this.firstDelayed
    const takesNew = this.#left > 0 && this.#takesNew(isProbe)
    const isDue = first !== undefined && first.due <= now && !(isProbe && takesNew)
    const request = takesNew && !isDue ? this.#pulled[this.#started++] : undefined
    if (request) return { request, attempts: 0, refusals: 0, faults: 0, due: now }
    return this.#delayed.shift() as PendingRow
  }

  putBack(row: PendingRow): void {
    this.#delayed.unshift(row)
  }

  delay(row: PendingRow, wait: number, now: number): void {
    row.due = now + Math.min(wait, longestDelay)
    const index = this.#delayed.findIndex(({ due }) => due > row.due)
    this.#delayed.splice(index === -1 ? this.#delayed.length : index, 0, row)
  }

  /** How many rows were pulled and not started. */
  get #left(): number {
    return this.#pulled.length - this.#started
  }

  /** Rows that the service fails on each time may be all that wait, and would probe it in vain. */
  #takesNew(isProbe: boolean): boolean {
    return this.#delayed.length < maxDelayed || isProbe
  }

  #pull(): void {
    if (this.#isPulling || !this.#iterator) return
    this.#isPulling = true
    this.#iterator.next().then(
      ({ done, value }) => {
        this.#isPulling = false
        this.#hasAll = done === true
        this.#pulled = done === true ? [] : value
        this.#started = 0
        this.#onChange()
      },
      (error: unknown) => {
        this.#hasAll = true
        this.#onChange({ error })
      },
    )
  }
}
