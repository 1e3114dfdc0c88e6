/**
 * Embeddings as a NumPy array of two dimensions: little-endian floats of 32 bits, a row for each text. The format is
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, version 1.0.
 */

import type { EmbeddedBatch } from '../api/embeddings/embed.ts'
import type { Sink } from '../io/io.ts'
import type { EmbeddingPrinter } from './printer.ts'

/** Writes at the end: the header tells how many rows there are, also of an array that broke off. */
export class NpyPrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #rows: Buffer[] = []

  constructor(out: Sink) {
    this.#out = out
  }

  take({ vectors }: EmbeddedBatch): Promise<void> {
    for (const vector of vectors) {
      const row = Buffer.alloc(vector.length * bytesOfFloat)
      for (const [at, value] of vector.entries()) row.writeFloatLE(value, at * bytesOfFloat)
      this.#rows.push(row)
    }
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const columns = (this.#rows[0]?.length ?? 0) / bytesOfFloat
    await this.#out.write(npyHeader(this.#rows.length, columns))
    for (const row of this.#rows) await this.#out.write(row)
  }

  async breakOff(): Promise<boolean> {
    if (this.#rows.length > 0) await this.finish()
    return this.#rows.length > 0
  }
}

const bytesOfFloat = 4

/** Magic string, version and length, then a Python literal padded so that the data begins at a multiple of 64. */
function npyHeader(rows: number, columns: number): Buffer {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const fixed = 10
  const length = Math.ceil((fixed + shape.length + 1) / 64) * 64 - fixed
  const header = Buffer.alloc(fixed + length, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(length, 8)
  header.write(shape, fixed, 'latin1')
  header.write('\n', fixed + length - 1, 'latin1')
  return header
}
