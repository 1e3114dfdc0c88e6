import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../helpers/run-syn.ts'
import { problemOfFile, type Size } from './embedding-files.ts'
import { vectorOf } from './replies.ts'

const size: Size = { lines: 3, dimensions: 2 }
const vectors = [0, 1, 2].map((line) => vectorOf(line, size.dimensions))

function npyHeader(rows: number): Buffer {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${size.dimensions}), }`.padEnd(117)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(118)
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(`${shape}\n`)])
}

const files = {
  jsonl: Buffer.from(vectors.map((embedding, index) => `${JSON.stringify({ index, embedding })}\n`).join('')),
  csv: Buffer.from(`index,v0,v1\n${vectors.map((vector, index) => `${index},${vector.join(',')}\n`).join('')}`),
  npy: Buffer.concat([npyHeader(3), ...vectors.map((vector) => Buffer.from(Float32Array.from(vector).buffer))]),
}

function problem(format: keyof typeof files, bytes: Buffer): Promise<string | undefined> {
  const path = join(emptyFolder(), `file.${format}`)
  writeFileSync(path, bytes)
  return problemOfFile(format, path, size)
}

test.each(['jsonl', 'csv', 'npy'] as const)(
  'only a whole file of %s with the same numbers is right',
  async (format) => {
    const whole = files[format]
    expect(await problem(format, whole)).toBeUndefined()
    expect(await problem(format, whole.subarray(0, -1))).toBe('2 of 3 rows')
    const other = Buffer.from(whole)
    other[other.length - 2] = 0x38
    expect(await problem(format, other)).toBe('wrong from row 2 on')
    expect(await problem(format, Buffer.concat([whole, Buffer.from('3\n')]))).toBe('2 bytes too many')
  },
)

test('a NumPy file with another shape is not', async () => {
  expect(await problem('npy', npyHeader(4))).toContain('another shape: \x93NUMPY')
})
