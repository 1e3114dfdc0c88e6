/** Writes embeddings as Parquet while they arrive. The only import site of hyparquet-writer. */

import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import type { PlainSink } from '../io/io.ts'
import { type BesideColumns, cellOf, type EmbeddedGroups } from './formats.ts'

/**
 * Numbers in a row group, which is in memory until it is written. With this size, 120,000 embeddings of 768 numbers pass
 * through a heap of 48 MB.
 */
const maxGroupSize = 200_000

/** Characters that take as much memory as a number. */
const charactersPerNumber = 8

/** Columns: `index`, texts for those beside the embedding, and `embedding`, a list of 32-bit floats. */
export async function writeParquet(groups: EmbeddedGroups, out: PlainSink, beside: BesideColumns): Promise<void> {
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({ writer: bytes, schema: schemaOf(beside.names), createdBy: 'syn' })
  let rows: EmbeddingRow[] = []
  let [first, size] = [0, 0]
  /** What is written is a copy: the sink may still be writing it when the library reuses the buffer. */
  const flush = async (): Promise<void> => {
    const written = bytes.getBytes().slice()
    bytes.index = 0
    await out.write(written)
  }
  const writeGroup = async (): Promise<void> => {
    await parquet.write({ columnData: columnsOf(rows, first, beside.names), rowGroupSize: rows.length })
    first += rows.length
    ;[rows, size] = [[], 0]
    await flush()
  }
  for await (const { items, vectors } of groups) {
    for (const [at, item] of items.entries()) {
      const vector = vectors[at] ?? []
      const cells = beside.valuesOf(item).map(cellOf)
      rows.push({ cells, vector })
      size += vector.length + cells.join('').length / charactersPerNumber
      if (size >= maxGroupSize) await writeGroup()
    }
  }
  if (rows.length > 0) await writeGroup()
  if (first === 0) return
  // The footer has the positions of all row groups. Without it nothing can be read.
  await parquet.finish()
  await flush()
}

interface EmbeddingRow {
  readonly cells: readonly (string | undefined)[]
  readonly vector: EmbeddedGroup['vectors'][number]
}

function columnsOf(rows: readonly EmbeddingRow[], first: number, names: readonly string[]): ColumnSource[] {
  return [
    { name: 'index', data: rows.map((_, at) => BigInt(first + at)) },
    ...names.map((name, at) => ({ name, data: rows.map(({ cells }) => cells[at]) })),
    // Neither compression nor a dictionary makes floats smaller.
    {
      name: 'embedding',
      data: rows.map(({ vector }) => vector),
      encoding: 'PLAIN',
      codec: 'UNCOMPRESSED',
      statistics: false,
    },
  ]
}

/** A list has three levels: https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
function schemaOf(names: readonly string[]): SchemaElement[] {
  const texts = names.map((name): SchemaElement => {
    const type = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
    return { name, ...type, repetition_type: 'OPTIONAL' }
  })
  return [
    { name: 'schema', num_children: names.length + 2 },
    { name: 'index', type: 'INT64', repetition_type: 'REQUIRED' },
    ...texts,
    {
      name: 'embedding',
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
      repetition_type: 'REQUIRED',
      num_children: 1,
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  ]
}
