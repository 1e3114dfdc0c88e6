/** Writes embeddings as Parquet while they arrive. The only import site of hyparquet-writer. */

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import type { PlainSink } from '../io/io.ts'
import { assertFloats, type EmbeddingPrinter } from './formats.ts'

/**
 * Numbers in a row group, which is in memory until it is written. With this size, 120,000 embeddings of 768 numbers pass
 * through a heap of 48 MB.
 */
const maxGroupSize = 200_000

/** Characters that take as much memory as a number. */
const charactersPerNumber = 8

/** Columns: `index`, optionally `text`, and `embedding`, a list of 32-bit floats. */
export class ParquetPrinter implements EmbeddingPrinter {
  readonly #out: PlainSink
  readonly #hasText: boolean
  readonly #bytes = new ByteWriter()
  readonly #parquet: ParquetWriter
  #rows: EmbeddingRow[] = []
  #groupSize = 0
  #rowCount = 0

  constructor(out: PlainSink, hasText: boolean) {
    this.#out = out
    this.#hasText = hasText
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema: schemaOf(hasText), createdBy: 'syn' })
  }

  async take(group: EmbeddedGroup): Promise<void> {
    assertFloats(group, 'parquet')
    const { texts, vectors } = group
    for (const [at, vector] of vectors.entries()) {
      const text = this.#hasText ? (texts[at] ?? '') : ''
      this.#rows.push({ text, vector })
      this.#groupSize += vector.length + text.length / charactersPerNumber
      if (this.#groupSize >= maxGroupSize) await this.#writeGroup()
    }
  }

  async #writeGroup(): Promise<void> {
    const [rows, first] = [this.#rows, this.#rowCount]
    if (rows.length === 0) return
    this.#rows = []
    this.#groupSize = 0
    this.#rowCount += rows.length
    const text = this.#hasText ? [{ name: 'text', data: rows.map((row) => row.text) }] : []
    await this.#parquet.write({
      columnData: [
        { name: 'index', data: rows.map((_, at) => BigInt(first + at)) },
        ...text,
        // Neither compression nor a dictionary makes floats smaller.
        {
          name: 'embedding',
          data: rows.map(({ vector }) => vector),
          encoding: 'PLAIN',
          codec: 'UNCOMPRESSED',
          statistics: false,
        },
      ],
      rowGroupSize: rows.length,
    })
    await this.#flush()
  }

  /** What is written is a copy: the sink may still be writing it when the library reuses the buffer. */
  async #flush(): Promise<void> {
    const bytes = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    await this.#out.write(bytes)
  }

  /** The footer has the positions of all row groups. Without it nothing can be read. */
  async finish(): Promise<void> {
    await this.#writeGroup()
    await this.#parquet.finish()
    await this.#flush()
  }

  async breakOff(): Promise<boolean> {
    const hasRows = this.#rowCount + this.#rows.length > 0
    if (hasRows) await this.finish()
    return hasRows
  }
}

interface EmbeddingRow {
  readonly text: string
  readonly vector: EmbeddedGroup['vectors'][number]
}

/** A list has three levels: https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
function schemaOf(hasText: boolean): SchemaElement[] {
  const text: SchemaElement = {
    name: 'text',
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: 'REQUIRED',
  }
  return [
    { name: 'schema', num_children: hasText ? 3 : 2 },
    { name: 'index', type: 'INT64', repetition_type: 'REQUIRED' },
    ...(hasText ? [text] : []),
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
