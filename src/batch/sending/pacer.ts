/** `--rpm`: spaces requests evenly, as a burst could exceed a limit that is counted over seconds. */

/** In milliseconds: timers are late, and a late request must not delay all that follow. */
const maxCatchUp = 20

export class Pacer {
  /** In milliseconds. */
  readonly #spacing: number
  #next = Number.NEGATIVE_INFINITY

  /** @param rpm Requests a minute, not always whole; `undefined` for no limit. */
  constructor(rpm: number | undefined) {
    this.#spacing = rpm === undefined ? 0 : 60_000 / rpm
  }

  /** When the next request may be sent. */
  get next(): number {
    return this.#next
  }

  take(now: number): void {
    this.#next = (now - this.#next <= maxCatchUp ? this.#next : now) + this.#spacing
  }
}
