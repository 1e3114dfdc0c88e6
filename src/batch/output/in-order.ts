/** Writes texts that are finished in any order in the order of their places. */

/** How many places may be reserved behind the first that has no text: texts wait in memory until it has one. */
const maxAhead = 1024

/** In characters: of texts that wait, before no more places are reserved. One may be as large as a reply. */
const maxWaiting = 64 * 1024 * 1024

/** In characters: short texts are written together. */
const pieceLength = 1024 * 1024

/** In the output: its text, when that is known. */
export interface Place {
  text?: string
}

export class OrderedWriter {
  readonly #write: (text: string) => Promise<void>
  /** From the first that has no text. */
  readonly #places: Place[] = []
  /** In characters: of all texts that are not written. */
  #waiting = 0
  #writing: Promise<void> = Promise.resolve()
  #onRoom = (): void => undefined

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write
  }

  get hasRoom(): boolean {
    return this.#places.length < maxAhead && this.#waiting < maxWaiting
  }

  /** Resolves when there is room. Not to be called again before. */
  async room(): Promise<void> {
    while (!this.hasRoom) await new Promise<void>((resolve) => (this.#onRoom = resolve))
  }

  reserve(): Place {
    const place = {}
    this.#places.push(place)
    return place
  }

  /** Whether the text of a later place, other than a blank line, waits for that of this one. */
  isAwaited(place: Place): boolean {
    return this.#places.slice(this.#places.indexOf(place) + 1).some(({ text = '\n' }) => text !== '\n')
  }

  put(place: Place, text: string): void {
    place.text = text
    this.#waiting += text.length
    const pieces: string[] = []
    for (let next = this.#places[0]?.text; next !== undefined; next = this.#places[0]?.text) {
      this.#places.shift()
      const last = pieces.at(-1)
      if (last === undefined || last.length >= pieceLength) pieces.push(next)
      else pieces[pieces.length - 1] = last + next
    }
    if (pieces.length === 0) return
    this.#writing = this.#writing.then(() => this.#writePieces(pieces))
    // Reported by `flush`. What cannot be written does not wait.
    this.#writing.catch(() => this.#noteWritten(this.#waiting))
    this.#onRoom()
  }

  async #writePieces(pieces: readonly string[]): Promise<void> {
    for (const piece of pieces) {
      await this.#write(piece)
      this.#noteWritten(piece.length)
    }
  }

  #noteWritten(length: number): void {
    this.#waiting -= length
    this.#onRoom()
  }

  /** Resolves when all texts that have their turn are written. @throws what writing threw. */
  flush(): Promise<void> {
    return this.#writing
  }
}
