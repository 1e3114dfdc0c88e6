/**
 * Which record answers which row: that which it was recorded for, if it still makes the request; else the k-th answer of a request
 * is that of the k-th row that makes it. This takes 32 bytes for each row of the input, whatever the size of the store.
 */

/** In bytes: the start of a hash. Of a million, two have the same by chance in one of 10¹⁷ inputs. */
const hashSize = 12

/** In bytes, of each row: its hash, and its limit of tokens as a 32-bit float. */
const rowSize = 16

/** A part of a store, in bytes. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export class RowAnswers {
  /** The hash of an invalid row is 0. */
  #rows = Buffer.alloc(1024 * rowSize)
  #count = 0
  /** By row: where its record starts in the store, or 0, where the first run does. */
  #offsets = new Float64Array(0)
  /**
   * Chained lists of the rows without a record: by row the number of the next one from 1, or 0 for none. Behind these, by the
   * start of a hash, that of the first one.
   */
  #links: Uint32Array | undefined
  readonly #isShared: boolean

  /** @param isShared Whether one answer is that of all rows that make its request. */
  constructor(isShared: boolean) {
    this.#isShared = isShared
  }

  /**
   * Adds the next row of the input, before any record is given.
   * @param hash Of the request, in hexadecimal; `undefined` for a row that no record is given to.
   * @param limit Of tokens of the answer.
   */
  add(hash: string | undefined, limit = Infinity): void {
    const start = this.#count * rowSize
    if (start === this.#rows.length) this.#rows = Buffer.concat([this.#rows, Buffer.alloc(start)])
    if (hash !== undefined) this.#rows.write(hash, start, hashSize, 'hex')
    this.#rows.writeFloatLE(limit, start + hashSize)
    this.#count += 1
  }

  /** The start of a row's record in the store, be it an answer or a failure; `undefined` without one. */
  offsetOf(row: number): number | undefined {
    return this.#offsets[row] || undefined
  }

  /** The number of rows with a record. */
  get answered(): number {
    return this.#offsets.reduce((count, offset) => (offset > 0 ? count + 1 : count), 0)
  }

  /** The number of records that rows have. */
  get records(): number {
    return this.#isShared ? new Set(this.#offsets.filter((offset) => offset > 0)).size : this.answered
  }

  setOffset(row: number, offset: number): void {
    if (this.#offsets.length === 0) this.#offsets = new Float64Array(this.#count)
    this.#offsets[row] = offset
  }

  /**
   * Gives a record to its row if that has its hash and no record, else to the first such row, or to all if answers are shared.
   * @param own The number of the row that it was recorded for.
   * @param cutAt The token limit of an answer that is not whole, `Infinity` for none: rows with a higher one don't take it.
   * @returns the number of rows that took it.
   */
  give(hash: string, own: number, offset: number, cutAt?: number): number {
    const start = hash.slice(0, 2 * hashSize)
    const fits = (row: number): boolean => cutAt === undefined || !this.#hasHigherLimit(row, cutAt)
    const isOwn = own < this.#count && this.offsetOf(own) === undefined && this.#hashOf(own) === start && fits(own)
    let taken = 0
    for (let row = isOwn ? own : this.#find(start, fits); row !== undefined; row = this.#find(start, fits)) {
      this.setOffset(row, offset)
      taken += 1
      if (!this.#isShared) break
    }
    return taken
  }

  /** Takes records from their rows: those that start in a part of the store. */
  forget({ start, end }: ByteRange): void {
    for (const [row, offset] of this.#offsets.entries()) if (offset >= start && offset < end) this.#offsets[row] = 0
    this.#links = undefined
  }

  /** Whether the row is to be sent: not if answers are shared, and that of another row will be its own. */
  isFirst(row: number): boolean {
    if (!this.#isShared) return true
    return this.#find(this.#hashOf(row), (one) => this.#limitOf(one) >= this.#limitOf(row)) === row
  }

  /** The numbers of rows without a record that are first: those of each model, in turn. */
  countFirst(models: number): number[] {
    const counts = Array.from({ length: models }, () => 0)
    for (let row = 0; row < this.#count; row++) {
      const isLeft = this.offsetOf(row) === undefined && !this.#isInvalid(row) && this.isFirst(row)
      if (isLeft) counts[row % models] = (counts[row % models] ?? 0) + 1
    }
    return counts
  }

  /**
   * Whether the token limit of a row is higher.
   * @param limit `Infinity` for none: the service then has one of its own, and any that is given may be higher.
   */
  #hasHigherLimit(row: number, limit: number): boolean {
    const own = this.#limitOf(row)
    return limit === Infinity ? own < Infinity : own > limit
  }

  /** The first row without a record. @param start Of its hash. */
  #find(start: string, fits: (row: number) => boolean): number | undefined {
    const links = (this.#links ??= this.#linked())
    let at = this.#listOf(Number.parseInt(start.slice(0, 8), 16))
    for (let row = (links[at] ?? 0) - 1; row >= 0; row = (links[at] ?? 0) - 1) {
      if (this.offsetOf(row) !== undefined) links[at] = links[row] ?? 0
      else if (this.#hashOf(row) === start && fits(row)) return row
      else at = row
    }
    return undefined
  }

  #hashOf(row: number): string {
    return this.#rows.toString('hex', row * rowSize, row * rowSize + hashSize)
  }

  #isInvalid(row: number): boolean {
    return this.#rows.readBigUInt64BE(row * rowSize) === 0n
  }

  #limitOf(row: number): number {
    return this.#rows.readFloatLE(row * rowSize + hashSize)
  }

  #linked(): Uint32Array {
    const links = new Uint32Array(2 * this.#count)
    for (let row = this.#count - 1; row >= 0; row--) {
      if (this.#isInvalid(row) || this.offsetOf(row) !== undefined) continue
      const list = this.#listOf(this.#rows.readUInt32BE(row * rowSize))
      links[row] = links[list] ?? 0
      links[list] = row + 1
    }
    return links
  }

  /** @param start The first 32 bits of a hash. */
  #listOf(start: number): number {
    return this.#count + Math.floor((start / 2 ** 32) * this.#count)
  }
}
