/** A list of any number of numbers, 8 bytes each. */
export class NumberList {
  length = 0
  #numbers = new Float64Array(1024)

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Float64Array(2 * this.length)
      longer.set(this.#numbers)
      this.#numbers = longer
    }
    this.#numbers[this.length++] = number
  }

  /** `undefined` beyond its end. */
  at(index: number): number | undefined {
    return index < this.length ? this.#numbers[index] : undefined
  }

  /** Sorts it. @returns its numbers, until it changes. */
  sort(): Float64Array {
    return this.#numbers.subarray(0, this.length).sort()
  }
}
