/** Finds rows by the hashes of their requests. Of a million rows, a Map of hashes would take 70 MiB, and this takes 24. */

/** In bytes, of each hash. */
const hashSize = 8

export class RowHashes {
  /** The first 64 bits of the hash of each row, or 0 for an invalid one. */
  #hashes = Buffer.alloc(1024 * hashSize)
  /** By row: its limit of tokens. */
  readonly #limits: number[] = []
  /**
   * Chained lists of the rows that are not taken: by row the number of the next one from 1, or 0 for none. Behind these, by the
   * start of a hash, that of the first one.
   */
  #links: Uint32Array | undefined

  /** The number of rows. */
  get count(): number {
    return this.#limits.length
  }

  /**
   * Adds the next row of the input, before any is looked for.
   * @param hash Of the request, in hexadecimal; `undefined` for an invalid row, which counts as a row.
   * @param limit Of tokens of the answer.
   */
  add(hash: string | undefined, limit = Infinity): void {
    const start = this.count * hashSize
    if (start === this.#hashes.length) this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(start)])
    if (hash !== undefined) this.#hashes.write(hash, start, hashSize, 'hex')
    this.#limits.push(limit)
  }

  /** Whether a row has this hash. */
  isOf(row: number, hash: string): boolean {
    return this.#hashes.toString('hex', row * hashSize, (row + 1) * hashSize) === hash.slice(0, 2 * hashSize)
  }

  /** Whether a row that was not taken has this hash. */
  has(hash: string): boolean {
    return this.#find(hash, () => true) !== undefined
  }

  /** The first row with this hash that was not taken before, and that `fits`. */
  take(hash: string, fits = (_row: number): boolean => true): number | undefined {
    const found = this.#find(hash, fits)
    if (found === undefined) return undefined
    const { links, at, row } = found
    links[at] = links[row] ?? 0
    return row
  }

  /**
   * Whether the token limit of a row is higher.
   * @param limit `Infinity` for none: the service then has one of its own, and any that is given may be higher.
   */
  hasHigherLimit(row: number, limit: number): boolean {
    const own = this.#limits[row] ?? Infinity
    return limit === Infinity ? own < Infinity : own > limit
  }

  /** @returns a row, and where the link to it is. */
  #find(hash: string, fits: (row: number) => boolean): { links: Uint32Array; at: number; row: number } | undefined {
    const links = (this.#links ??= this.#linked())
    let at = this.#listOf(Number.parseInt(hash.slice(0, 8), 16))
    for (let row = (links[at] ?? 0) - 1; row >= 0; row = (links[at] ?? 0) - 1) {
      if (this.isOf(row, hash) && fits(row)) return { links, at, row }
      at = row
    }
    return undefined
  }

  #linked(): Uint32Array {
    const links = new Uint32Array(2 * this.count)
    for (let row = this.count - 1; row >= 0; row--) {
      if (this.#hashes.readBigUInt64BE(row * hashSize) === 0n) continue
      const list = this.#listOf(this.#hashes.readUInt32BE(row * hashSize))
      links[row] = links[list] ?? 0
      links[list] = row + 1
    }
    return links
  }

  /** @param start The first 32 bits of a hash. */
  #listOf(start: number): number {
    return this.count + Math.floor((start / 2 ** 32) * this.count)
  }
}
