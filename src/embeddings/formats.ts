/**
 * The output formats of embeddings: JSON rows, the service's whole reply. CSV and TSV are in `csv.ts`, NumPy arrays in
 * `npy.ts`, Parquet in `parquet.ts`.
 */

import { mergeReplies } from '../api/embeddings/decode.ts'
import type { EmbeddedGroup } from '../api/embeddings/embed.ts'
import { NetworkError } from '../errors.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { exactJson, type JsonObject, writeJson } from '../io/json/json.ts'

/** Writes embeddings in one format. */
export interface EmbeddingPrinter {
  /** Takes the next embeddings, in order. */
  take(group: EmbeddedGroup): Promise<void>
  /** Called after the last group. */
  finish(): Promise<void>
  /**
   * Called if the rest will not arrive: writes the part received, in a valid format.
   * @returns whether anything was written.
   */
  breakOff(): Promise<boolean>
}

/** The text around the rows. */
interface RowFrame {
  readonly first: string
  readonly between: string
  readonly rowEnd: string
  readonly last: string
}

/** Each line is written whole. */
export const jsonLinesFrame: RowFrame = { first: '', between: '', rowEnd: '\n', last: '' }
export const jsonArrayFrame: RowFrame = { first: '[', between: ',\n', rowEnd: '', last: ']\n' }

/** In characters. A write costs more than a row, and a whole group may be a megabyte, which is garbage for long. */
const pieceSize = 65_536

/** Joins rows to pieces for one write each. */
export function* joinRows(rows: Iterable<string>): Generator<string> {
  let piece = ''
  for (const row of rows) {
    piece += row
    if (piece.length < pieceSize) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Writes one JSON row per text as the embeddings arrive. */
export class EmbeddingRowPrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #frame: RowFrame
  readonly #hasText: boolean
  #hasStarted = false

  constructor(out: Sink, frame: RowFrame, hasText: boolean) {
    this.#out = out
    this.#frame = frame
    this.#hasText = hasText
  }

  async take(group: EmbeddedGroup): Promise<void> {
    for (const piece of joinRows(this.#rows(group))) await writeText(this.#out, piece, sanitizeJson)
  }

  *#rows({ first, texts, arrayTexts }: EmbeddedGroup): Generator<string> {
    const { between, rowEnd } = this.#frame
    for (const [at, embedding] of arrayTexts().entries()) {
      const before = this.#hasStarted ? between : this.#frame.first
      this.#hasStarted = true
      const text = this.#hasText ? `"text":${JSON.stringify(texts[at])},` : ''
      yield `${before}{"index":${first + at},${text}"embedding":${embedding}}${rowEnd}`
    }
  }

  async finish(): Promise<void> {
    await writeText(this.#out, this.#frame.last)
  }

  async breakOff(): Promise<boolean> {
    if (this.#hasStarted) await this.finish()
    return this.#hasStarted
  }
}

/** Writes the service's whole reply; the replies to several requests are merged into one document. */
export class ReplyPrinter implements EmbeddingPrinter {
  readonly #out: Sink
  readonly #groups: EmbeddedGroup[] = []

  constructor(out: Sink) {
    this.#out = out
  }

  take(group: EmbeddedGroup): Promise<void> {
    this.#groups.push(group)
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const [out, whole] = [this.#out, mergeReplies(this.#groups)]
    if (out.isTerminal) return writeJson(whole, out)
    for (const piece of jsonPieces(whole)) await out.write(piece)
  }

  async breakOff(): Promise<boolean> {
    if (this.#groups.length > 0) await this.finish()
    return this.#groups.length > 0
  }
}

/** The document on one line, in pieces: with about 25,000 texts it exceeds the maximum length of a string. */
function* jsonPieces(whole: JsonObject): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(whole)) {
    yield `${before}${JSON.stringify(key)}:`
    before = ','
    if (!Array.isArray(value)) yield exactJson(value)
    else {
      for (const [index, item] of value.entries()) yield `${index === 0 ? '[' : ','}${exactJson(item)}`
      yield value.length === 0 ? '[]' : ']'
    }
  }
  yield '}\n'
}

/** @throws NetworkError for a number that becomes infinite in 32 bits. */
export function assertFloats({ first, vectors }: EmbeddedGroup, format: 'npy' | 'parquet'): void {
  for (const [at, vector] of vectors.entries()) {
    const large = vector.find((value) => !Number.isFinite(Math.fround(value)))
    if (large === undefined) continue
    const where = `for the text with index ${first + at}`
    throw new NetworkError(`the service sent ${large} ${where}, too large for the 32-bit floats of ${format}`, {
      hint: 'use --format jsonl',
    })
  }
}
