/** Whether the service is down. While it is, single requests probe it, and their failures do not count against their rows. */

import { retryDelay } from '../../api/retry-policy.ts'

/**
 * How many rows that fail for the first time, one after the other, mean an outage. Not attempts: the service may fail on some
 * rows each time, while it answers others.
 */
const minFailedRows = 8

/** In milliseconds. */
const patience = 600_000

/**
 * - `retry`: the failure counts against the row.
 * - `probe`: it does not.
 * - `down`: the run must stop, unless the row is sent again.
 * - `lost`: the run must stop.
 */
export type FaultVerdict = 'retry' | 'probe' | 'down' | 'lost'

export class Outage {
  /** Since the last reply. */
  #failedRows = 0
  #wasAlive = false
  #since: number | undefined
  #probes = 0
  /** The row that was sent to see whether the service is back. */
  probe: object | undefined
  /** When the next one may be sent. */
  nextProbe = 0

  get isActive(): boolean {
    return this.#since !== undefined
  }

  /** The service has replied. Those sent before an outage say nothing about its end. @returns whether an outage is over. */
  end(row: object): boolean {
    const wasActive = this.isActive
    if (wasActive && row !== this.probe) return false
    this.probe = undefined
    this.#failedRows = 0
    this.#wasAlive = true
    this.#since = undefined
    return wasActive
  }

  /** A row failed that fails each time, which says nothing about the service. */
  ignore(row: object): FaultVerdict {
    if (row === this.probe) this.probe = undefined
    return 'retry'
  }

  /** The service may have refused a row for the number of others: without a reply since, the next fault is an outage. */
  suspect(row: { readonly refusals: number }): void {
    if (row.refusals === 0) this.#failedRows++
    if (row === this.probe) this.probe = undefined
  }

  /** The service or the network failed. @param row `faults`: the failures that count against it. @param random From 0 to 1. */
  add(row: { readonly faults: number }, error: unknown, now: number, random: number): FaultVerdict {
    if (row.faults === 0) this.#failedRows++
    if (!this.isActive && this.#failedRows < minFailedRows) return 'retry'
    // A service that never replied is not down for a minute: its address or the network is wrong.
    if (!this.#wasAlive) return 'down'
    if (!this.isActive) this.#probes = 0
    if (!this.isActive || row === this.probe) {
      this.nextProbe = now + Math.min(retryDelay(this.#probes++, error, random), patience)
      this.probe = undefined
    }
    this.#since ??= now
    return now - this.#since < patience ? 'probe' : 'lost'
  }
}
