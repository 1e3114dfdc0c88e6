/** The time of the service, in the `Date` header of its replies: the clock of the machine may be hours off. */

/** The clocks of an `Io`, which imports this file. */
interface Clocks {
  elapsed(): number
  now(): number
}

export class ServiceClock {
  readonly #clocks: Clocks
  #last: { readonly date: number; readonly elapsed: number; readonly now: number } | undefined

  constructor(clocks: Clocks) {
    this.#clocks = clocks
  }

  /** In milliseconds since 1970; before the first reply, by the clock of the machine. */
  readonly now = (): number => {
    const [elapsed, now] = [this.#clocks.elapsed(), this.#clocks.now()]
    // While the machine sleeps, its clock goes on alone.
    return this.#last ? this.#last.date + Math.max(elapsed - this.#last.elapsed, now - this.#last.now) : now
  }

  /** Call with the headers of each reply. A cache adds how old it is. */
  follow({ date = '', age = '0' }: Readonly<Record<string, string>>): void {
    const [time, seconds] = [Date.parse(date), Number(age)]
    if (Number.isNaN(time + seconds)) return
    this.#last = { date: time + 1000 * seconds, elapsed: this.#clocks.elapsed(), now: this.#clocks.now() }
  }
}
