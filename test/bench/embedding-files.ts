/** Compares whole files of embeddings with what the server sent. */

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { vectorOf } from './replies.ts'

export const formats = ['jsonl', 'csv', 'npy', 'parquet'] as const
export type Format = (typeof formats)[number]

export interface Size {
  readonly lines: number
  readonly dimensions: number
}

type Check = (path: string, size: Size) => Promise<string | undefined>

const checks: Readonly<Record<Format, Check>> = {
  jsonl: (path, { lines, dimensions }) =>
    difference(path, 0, lines, (index) => `${JSON.stringify({ index, embedding: vectorOf(index, dimensions) })}\n`),

  csv: (path, { lines, dimensions }) => {
    const header = `index,${Array.from({ length: dimensions }, (_, at) => `v${at}`).join(',')}\n`
    return difference(path, 0, lines, (index) => {
      return `${index === 0 ? header : ''}${index},${vectorOf(index, dimensions).join(',')}\n`
    })
  },

  npy: async (path, { lines, dimensions }) => {
    const header = await npyHeader(path)
    if (!header.includes(`'shape': (${lines}, ${dimensions})`)) return `another shape: ${header}`
    return difference(path, header.length, lines, (index) => Buffer.from(floats(index, dimensions).buffer))
  },

  parquet: async (path, { lines, dimensions }) => {
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    let start = 0
    for (const { num_rows: count } of metadata.row_groups) {
      const rows = await parquetReadObjects({ file, metadata, rowStart: start, rowEnd: start + Number(count) })
      for (const { embedding } of rows) {
        const actual = Float32Array.from(embedding as number[])
        if (!sameBytes(actual, floats(start, dimensions))) return `wrong from row ${start} on`
        start++
      }
    }
    return start === lines ? undefined : `${start} of ${lines} rows`
  },
}

/** @returns what is wrong with a file that was written from the server's embeddings of so many lines. */
export function problemOfFile(format: Format, path: string, size: Size): Promise<string | undefined> {
  return checks[format](path, size)
}

/** As NumPy and Parquet keep them. */
function floats(index: number, dimensions: number): Float32Array {
  return Float32Array.from(vectorOf(index, dimensions))
}

function sameBytes(one: Float32Array, other: Float32Array): boolean {
  return Buffer.compare(Buffer.from(one.buffer), Buffer.from(other.buffer)) === 0
}

async function npyHeader(path: string): Promise<string> {
  await using file = await open(path)
  const start = Buffer.alloc(10)
  await file.read(start, 0, 10, 0)
  const header = Buffer.alloc(10 + start.readUInt16LE(8))
  await file.read(header, 0, header.length, 0)
  return header.toString('latin1')
}

/** Compares a file from an offset on with its rows. */
async function difference(
  path: string,
  offset: number,
  lines: number,
  row: (index: number) => string | Uint8Array,
): Promise<string | undefined> {
  let rest = Buffer.alloc(0)
  let index = 0
  for await (const chunk of createReadStream(path, { start: offset, highWaterMark: 1 << 20 })) {
    rest = Buffer.concat([rest, chunk as Buffer])
    let at = 0
    for (; index < lines; index++) {
      const wanted = Buffer.from(row(index))
      if (at + wanted.length > rest.length) break
      if (wanted.compare(rest, at, at + wanted.length) !== 0) return `wrong from row ${index} on`
      at += wanted.length
    }
    rest = rest.subarray(at)
  }
  if (index < lines) return `${index} of ${lines} rows`
  return rest.length === 0 ? undefined : `${rest.length} bytes too many`
}
