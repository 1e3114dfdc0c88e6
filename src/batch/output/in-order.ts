/** Writes texts that are finished in any order in the order of their places. */

/** How many places may be reserved behind the first that has no text: texts wait in memory until it has one. */
const maxAhead = 1024

export class OrderedWriter {
  readonly #write: (text: string) => Promise<void>
  /** By place; those written are removed. */
  readonly #texts = new Map<number, string>()
  #reserved = 0
  #written = 0
  #writing: Promise<void> = Promise.resolve()
  #onRoom: (() => void) | undefined

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write
  }

  get hasRoom(): boolean {
    return this.#reserved - this.#written < maxAhead
  }

  /** Resolves when there is room. Not to be called again before. */
  async room(): Promise<void> {
    if (!this.hasRoom) await new Promise<void>((resolve) => (this.#onRoom = resolve))
  }

  /** The next place. */
  reserve(): number {
    return this.#reserved++
  }

  /** Sets the text of a place. */
  put(place: number, text: string): void {
    this.#texts.set(place, text)
    let ready = ''
    for (let next = this.#texts.get(this.#written); next !== undefined; next = this.#texts.get(this.#written)) {
      this.#texts.delete(this.#written++)
      ready += next
    }
    if (ready === '') return
    this.#writing = this.#writing.then(() => this.#write(ready))
    // Reported by `flush`.
    this.#writing.catch(() => undefined)
    this.#onRoom?.()
    this.#onRoom = undefined
  }

  /** Resolves when all texts that have their turn are written. @throws what writing threw. */
  flush(): Promise<void> {
    return this.#writing
  }
}
