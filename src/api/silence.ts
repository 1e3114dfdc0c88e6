/** The longest that a timer can wait; beyond it Node fires at once. */
const longestTimer = 2 ** 31 - 1

/** A stretch of waiting that may last only so long. */
export class Silence {
  readonly #onTooLong: (seconds: number) => void
  #timer: NodeJS.Timeout | undefined

  constructor(onTooLong: (seconds: number) => void) {
    this.#onTooLong = onTooLong
  }

  /** @param longest In milliseconds; 0 stands for ever. */
  begin(longest: number): void {
    this.end()
    if (longest === 0) return
    this.#timer = setTimeout(() => this.#onTooLong(longest / 1000), Math.min(longest, longestTimer))
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
