/** Writes embeddings as a NumPy array while they arrive. */

import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import type { PlainSink } from '../io/io.ts'
import type { OutputTarget } from '../io/files/output.ts'
import type { EmbeddedGroups } from './formats.ts'

/**
 * Writes a two-dimensional array of little-endian 32-bit floats, one row per text. The format is
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, version 1.0. The header contains the number of
 * rows: if fewer or more come, it is overwritten where that is possible. Elsewhere the array stays too short, which NumPy
 * reports.
 * @param options The number of rows, if it is known, and what overwrites the start of the output, if that is possible.
 */
export async function writeNpy(
  groups: EmbeddedGroups,
  out: PlainSink,
  { rowCount = 0, overwrite }: { rowCount: number | undefined; overwrite: OutputTarget['overwrite'] },
): Promise<void> {
  let [rows, columns] = [0, 0]
  try {
    for await (const { vectors } of groups) {
      if (columns === 0) {
        columns = vectors[0]?.length ?? 0
        await out.write(npyHeader(rowCount, columns))
      }
      await out.write(floatBytes(vectors, columns))
      // Counted only now: of a group that does not fit on the disk, a part is written, which NumPy ignores.
      rows += vectors.length
    }
  } finally {
    if (columns > 0 && rows !== rowCount) await overwrite?.(npyHeader(rows, columns))
  }
}

const bytesOfFloat = 4

function floatBytes(vectors: EmbeddedGroup['vectors'], columnCount: number): Buffer {
  const bytes = Buffer.allocUnsafe(vectors.length * columnCount * bytesOfFloat)
  let at = 0
  for (const vector of vectors) for (const value of vector) at = bytes.writeFloatLE(value, at)
  return bytes
}

/** The most digits of a number of rows: with any number the header has the same length. NumPy reserves as many. */
const maxDigits = 21

/** Magic string, version and length, then a Python literal padded so that the data starts at a multiple of 64. */
function npyHeader(rows: number, columns: number): Buffer {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const fixed = 10
  const longest = fixed + shape.length + maxDigits - String(rows).length + 1
  const length = Math.ceil(longest / 64) * 64 - fixed
  const header = Buffer.alloc(fixed + length, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(length, 8)
  header.write(shape, fixed, 'latin1')
  header.write('\n', fixed + length - 1, 'latin1')
  return header
}
