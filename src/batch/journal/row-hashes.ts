/** The hashes of all requests, to find the row of a recorded result: 12 bytes a row, and 8 more to find them. */

/** In rows. */
const blockSize = 65_536

const maxLimit = 2 ** 32 - 1

export class RowHashes {
  /** Three words for each row: the first 64 bits of its hash, or 0 for an invalid row, and its token limit. */
  readonly #blocks: Uint32Array[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * Adds the next row of the input.
   * @param hash Of the request, in hexadecimal; `undefined` for an invalid row, which counts as a row.
   * @param limit Of tokens of the answer; the highest kept is 2³² − 1.
   */
  add(hash: string | undefined, limit = Infinity): void {
    if (this.#count % blockSize === 0) this.#blocks.push(new Uint32Array(3 * blockSize))
    if (hash !== undefined) {
      this.#blocks.at(-1)?.set([...wordsOf(hash), Math.min(limit, maxLimit)], 3 * (this.#count % blockSize))
    }
    this.#count += 1
  }

  /** Whether a row has this hash, as far as it is kept. */
  has(row: number, hash: string): boolean {
    const [high, low] = this.get(row)
    const words = wordsOf(hash)
    return high === words[0] && low === words[1]
  }

  /** The words of a row's hash. */
  get(row: number): readonly [number, number] {
    const block = this.#blocks[Math.floor(row / blockSize)]
    const at = 3 * (row % blockSize)
    return [block?.[at] ?? 0, block?.[at + 1] ?? 0]
  }

  /**
   * Whether the token limit of a row is higher.
   * @param limit `Infinity` for none: the service then has one of its own, and any that is given may be higher.
   */
  hasHigherLimit(row: number, limit: number): boolean {
    const own = this.#blocks[Math.floor(row / blockSize)]?.[3 * (row % blockSize) + 2] ?? 0
    return limit === Infinity ? own < maxLimit : own > limit
  }
}

/** Finds rows by their hash. Rows with equal requests are found one after the other, each once. */
export class RowFinder {
  readonly #hashes: RowHashes
  /** Chained lists: by the start of the hash the number of its first row from 1, and by row that of the next; 0 for none. */
  readonly #first: Uint32Array
  readonly #next: Uint32Array

  constructor(hashes: RowHashes) {
    this.#hashes = hashes
    this.#first = new Uint32Array(hashes.count)
    this.#next = new Uint32Array(hashes.count)
    for (let row = hashes.count - 1; row >= 0; row--) {
      const [high, low] = hashes.get(row)
      if (high === 0 && low === 0) continue
      const list = this.#listOf(high)
      this.#next[row] = this.#first[list] ?? 0
      this.#first[list] = row + 1
    }
  }

  /** The first row with this hash that was not taken before, and that `fits`. */
  take(hash: string, fits = (_row: number): boolean => true): number | undefined {
    const [high, low] = wordsOf(hash)
    const list = this.#listOf(high)
    let before = -1
    for (let at = this.#first[list] ?? 0; at !== 0;) {
      const row = at - 1
      const next = this.#next[row] ?? 0
      const [rowHigh, rowLow] = this.#hashes.get(row)
      if (rowHigh === high && rowLow === low && fits(row)) {
        if (before === -1) this.#first[list] = next
        else this.#next[before] = next
        return row
      }
      before = row
      at = next
    }
    return undefined
  }

  #listOf(high: number): number {
    return Math.floor((high / 2 ** 32) * this.#first.length)
  }
}

function wordsOf(hash: string): readonly [number, number] {
  return [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8, 16), 16)]
}
