/** Whether the service is down. While it is, single requests probe it, and their failures do not count against their rows. */

import { waitBefore } from '../../api/retry.ts'

/** As many rows that fail one after the other mean an outage. Rows, not attempts: the service may fail on one each time. */
const minFailedRows = 8

/** In milliseconds. */
const patience = 600_000

/** Of a row: the streak of failures that it was last counted in. */
export interface StreakMember {
  streak: number
}

/**
 * - `retry`: the failure counts against the row.
 * - `probe`: it does not.
 * - `down`: the run must stop, unless the row is sent again.
 * - `lost`: the run must stop.
 */
export type FaultVerdict = 'retry' | 'probe' | 'down' | 'lost'

export class Outage {
  #streak = 1
  #failedRows = 0
  #wasAlive = false
  #since: number | undefined
  #probes = 0
  #nextProbe = 0

  /** Whether there is one now. */
  get isActive(): boolean {
    return this.#since !== undefined
  }

  /** When the next probe may be sent. */
  get nextProbe(): number {
    return this.#nextProbe
  }

  /** The service has replied. @returns whether an outage is over. */
  end(): boolean {
    const wasActive = this.isActive
    this.#streak++
    this.#failedRows = 0
    this.#wasAlive = true
    this.#since = undefined
    return wasActive
  }

  /** @param random From 0 to 1. */
  add(row: StreakMember, error: unknown, isProbe: boolean, now: number, random: number): FaultVerdict {
    if (row.streak !== this.#streak) this.#failedRows++
    row.streak = this.#streak
    if (this.#since === undefined) {
      if (this.#failedRows < minFailedRows) return 'retry'
      // A service that never replied is not down for a minute: its address or the network is wrong.
      if (!this.#wasAlive) return 'down'
      this.#since = now
      this.#probes = 0
      this.#planProbe(error, now, random)
    } else if (isProbe) this.#planProbe(error, now, random)
    return now - this.#since < patience ? 'probe' : 'lost'
  }

  #planProbe(error: unknown, now: number, random: number): void {
    this.#nextProbe = now + Math.min(waitBefore(this.#probes++, error, random), patience)
  }
}
