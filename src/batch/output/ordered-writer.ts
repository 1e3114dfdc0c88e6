/** Writes texts that are finished in any order in the order in which they were reserved. */

/** How many texts may be reserved behind the first that is not finished: they wait in memory until it is. */
const maxAhead = 1024

/** In characters: of texts that wait, before no more are reserved. One may be as large as a reply. */
const maxWaiting = 64 * 1024 * 1024

/** In characters: short texts are written together. */
const pieceLength = 1024 * 1024

/** A part of the output that is reserved; its text, once that is finished. */
export interface QueuedText {
  text?: string
}

export class OrderedWriter {
  readonly #write: (text: string) => Promise<void>
  /** From the first that has no text. */
  readonly #queue: QueuedText[] = []
  /** In characters: of all texts that are not written. */
  #waiting = 0
  #writing: Promise<void> = Promise.resolve()
  #onRoom = (): void => undefined

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write
  }

  get hasRoom(): boolean {
    return this.#queue.length < maxAhead && this.#waiting < maxWaiting
  }

  /** Resolves when there is room. Not to be called again before. */
  async room(): Promise<void> {
    while (!this.hasRoom) await new Promise<void>((resolve) => (this.#onRoom = resolve))
  }

  reserve(): QueuedText {
    const queued = {}
    this.#queue.push(queued)
    return queued
  }

  /** Whether a later text, other than a blank line, waits for this one. */
  isAwaited(queued: QueuedText): boolean {
    return this.#queue.slice(this.#queue.indexOf(queued) + 1).some(({ text = '\n' }) => text !== '\n')
  }

  put(queued: QueuedText, text: string): void {
    queued.text = text
    this.#waiting += text.length
    const pieces: string[] = []
    for (let next = this.#queue[0]?.text; next !== undefined; next = this.#queue[0]?.text) {
      this.#queue.shift()
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
