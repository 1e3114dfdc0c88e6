/** The output formats of embeddings that are rows of text, and the service's whole reply. */

import { mergeReplies, type PartialReply, type Vector } from '../api/embeddings/decode.ts'
import type { EmbeddedGroup, InputText } from '../api/embeddings/embed.ts'
import type { styleOf } from '../io/text/csv-text.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { exactJson } from '../io/json/exact-numbers.ts'
import type { JsonObject } from '../io/json/json.ts'
import { parseStoredJson } from '../io/json/parse.ts'
import { writeJson } from '../io/json/print.ts'

/**
 * Embeddings in the order of their texts. What writes a format takes them until they end, which they also do if the rest will
 * not arrive: the part received is then written in a valid format.
 */
export type EmbeddedGroups = AsyncIterable<EmbeddedGroup>

/** The columns beside an embedding and its index. The values are JSON. */
export interface BesideColumns {
  readonly names: readonly string[]
  readonly valuesOf: (item: InputText) => readonly string[]
}

/** A value of JSON as a cell of a table: a string as it is, nothing for null. */
function cellOf(json: string): string {
  const value = parseStoredJson(json, null) ?? ''
  return typeof value === 'string' ? value : json
}

/** A format with a row for each text, which are written as the embeddings arrive. */
export interface RowFormat {
  /** Before the first row, of which it gets the vector. */
  readonly first?: (vector: Vector) => string
  /** @param array The embedding as JSON. */
  readonly row: (index: number, item: InputText, array: string) => string
  readonly sanitize?: typeof sanitizeJson
}

/** JSON Lines, each of which is written whole. */
export function jsonFormat({ names, valuesOf }: BesideColumns): RowFormat {
  const row: RowFormat['row'] = (index, item, array) => {
    const members = valuesOf(item).map((value, at) => `${JSON.stringify(names[at])}:${value},`)
    return `{"index":${index},${members.join('')}"embedding":${array}}\n`
  }
  return { row, sanitize: sanitizeJson }
}

/** A table with columns: `index`, those beside the embedding, and `v0`, `v1` … for the dimensions. */
export async function csvFormat(
  { names, valuesOf }: BesideColumns,
  ...form: Parameters<typeof styleOf>
): Promise<RowFormat> {
  const { csvRow, styleOf } = await import('../io/text/csv-text.ts')
  const { delimiter, lineEnd, mark } = styleOf(...form)
  // The numbers need no quoting, and with them the library takes three times as long.
  const line = (cells: readonly string[], values: string): string =>
    `${csvRow(cells, delimiter)}${delimiter}${delimiter === ',' ? values : values.split(',').join(delimiter)}${lineEnd}`
  return {
    first: (vector) => mark + line(['index', ...names], vector.map((_, at) => `v${at}`).join()),
    row: (index, item, array) => line([String(index), ...valuesOf(item).map(cellOf)], array.slice(1, -1)),
  }
}

/** In characters. A write costs more than a row, and a whole group may be a megabyte, which is garbage for long. */
const pieceSize = 65_536

export async function writeRows(groups: EmbeddedGroups, out: Sink, { first, row, sanitize }: RowFormat): Promise<void> {
  let hasStarted = false
  for await (const group of groups) {
    let piece = ''
    const arrays = group.arrayTexts()
    for (const [at, item] of group.items.entries()) {
      if (!hasStarted) piece += first?.(group.vectors[at] ?? []) ?? ''
      hasStarted = true
      piece += row(group.first + at, item, arrays[at] ?? '')
      if (piece.length < pieceSize) continue
      await writeText(out, piece, sanitize)
      piece = ''
    }
    await writeText(out, piece, sanitize)
  }
}

/** Writes the service's whole reply; the replies to several requests are merged into one document. */
export async function writeReply(groups: EmbeddedGroups, out: Sink): Promise<void> {
  const all: PartialReply[] = []
  for await (const { first, whole } of groups) all.push({ first, whole })
  if (all.length === 0) return
  const whole = mergeReplies(all)
  if (out.isTerminal) return writeJson(whole, out)
  for (const piece of jsonPieces(whole)) await out.write(piece)
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
