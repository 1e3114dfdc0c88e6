/** Reads a two-dimensional NumPy array of little-endian 32-bit floats. */

export function npyRows(bytes: Buffer): number[][] {
  const magic = bytes.subarray(0, 8).toString('latin1')
  if (magic !== '\x93NUMPY\x01\x00') throw new Error(`not version 1.0 of the format: ${JSON.stringify(magic)}`)
  const start = 10 + bytes.readUInt16LE(8)
  if (start % 64 !== 0) throw new Error(`the data begin at ${start}`)
  const header = bytes.subarray(10, start).toString('latin1')
  const [, rows, columns] =
    /^\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \} *\n$/.exec(header)?.map(Number) ?? []
  if (rows === undefined || columns === undefined) throw new Error(`no header: ${header}`)
  if (bytes.length !== start + rows * columns * 4) throw new Error(`${bytes.length} bytes for ${header}`)
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => bytes.readFloatLE(start + (row * columns + column) * 4)),
  )
}
