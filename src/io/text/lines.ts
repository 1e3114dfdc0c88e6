/** Streams of any size: the lines of UTF-8 in one, and a start that is read twice. */

import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../errors.ts'
import { kindOf, notText } from './first-bytes.ts'

/** In bytes: the longest line, JSON value or CSV row of a document that may be of any size. */
export const maxRecordSize = 16 * 1024 * 1024

/** In bytes. A piece of blank lines becomes an array with as many elements. */
const pieceSize = 65_536

const lineFeed = 10
const carriageReturn = 13

/** Consecutive lines. */
interface LineBlock {
  /** Number of the first line, from 1. */
  readonly first: number
  /** Without their ends. */
  readonly lines: readonly string[]
  /** With the ends that they have, and the byte order mark. */
  readonly text: string
}

export function tooLong(where: string, line: number, what = 'line'): UsageError {
  return new UsageError(`${where}, line ${line}: ${what} exceeds the limit of ${maxRecordSize / 1024 / 1024} MiB`)
}

/**
 * @param returnsEnd Whether CR alone ends a line (default: in a document that starts with 64 KiB without LF; elsewhere it is text,
 *   as of a progress bar).
 * @returns the lines, which end in LF, CRLF or CR, in blocks. A byte order mark is none of them.
 * @throws UsageError naming document and line for one that is too long or not text in UTF-8.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  where: string,
  returnsEnd?: boolean,
): AsyncGenerator<LineBlock> {
  let pieces: Uint8Array[] = []
  let piecesSize = 0
  let first = 1
  const block = (end: Uint8Array): LineBlock => {
    const bytes = pieces.length === 0 ? end : Buffer.concat([...pieces, end])
    const read = decodeLines(bytes, first, where, returnsEnd ? /\r\n?|\n/ : /\r?\n|\r$/)
    first += read.lines.length
    return read
  }
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const piece = chunk.subarray(at, at + pieceSize)
      if (returnsEnd === undefined && piece.includes(lineFeed)) returnsEnd = false
      else if (piecesSize + piece.length >= pieceSize) returnsEnd ??= true
      const isEnd = (byte: number): boolean => byte === lineFeed || (byte === carriageReturn && returnsEnd === true)
      const firstEnd = piece.findIndex(isEnd)
      if (piecesSize + (firstEnd === -1 ? piece.length : firstEnd) > maxRecordSize) throw tooLong(where, first)
      // A carriage return at the end of a piece may be half of a line end.
      const lastReturn = returnsEnd ? piece.subarray(0, -1).lastIndexOf(carriageReturn) : -1
      const lastEnd = Math.max(piece.lastIndexOf(lineFeed), lastReturn)
      if (lastEnd !== -1) {
        yield block(piece.subarray(0, lastEnd + 1))
        pieces = []
        piecesSize = 0
      }
      const rest = piece.subarray(lastEnd + 1)
      if (rest.length > 0) pieces.push(rest)
      piecesSize += rest.length
    }
  }
  returnsEnd ??= true
  if (piecesSize > 0) yield block(new Uint8Array())
}

/** @throws UsageError for the first line that is not UTF-8, or has a null byte, as images and texts in UTF-16 have. */
function decodeLines(bytes: Uint8Array, first: number, where: string, end: RegExp): LineBlock {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isUtf8(bytes) || bytes.includes(0) || (first === 1 && kindOf(bytes))) {
    const lines = buffer.toString('latin1').split(end)
    const at = lines.findIndex((line) => line.includes('\0') || !isUtf8(Buffer.from(line, 'latin1')))
    throw notText(where, bytes, undefined, `, line ${first + at}`)
  }
  const text = buffer.toString('utf8')
  const unmarked = first === 1 ? text.replace(/^\ufeff/, '') : text
  // Twice as fast.
  const lines = unmarked.split(text.includes('\r') ? end : '\n')
  // The end of the last line starts no other.
  if (lines.at(-1) === '') lines.pop()
  return { first, lines, text }
}

/** A text in which each line ends in LF, with the line ends that `readLines` finds. */
export function withLineFeeds(text: string): string {
  return text.replace(text.slice(0, pieceSize).includes('\n') ? /\r\n/g : /\r\n?/g, '\n')
}

/** A stream that can be read only once, but its start twice. */
export class Replay<Item> {
  readonly #items: AsyncIterator<Item>
  readonly #start: Item[] = []

  constructor(items: AsyncIterable<Item>) {
    this.#items = items[Symbol.asyncIterator]()
  }

  /** Yields items and keeps them. To leave the loop does not end the stream. */
  async *start(): AsyncGenerator<Item, void, undefined> {
    for (let next = await this.#items.next(); !next.done; next = await this.#items.next()) {
      this.#start.push(next.value)
      yield next.value
    }
  }

  /** Yields all items, once: those of the start are no longer kept when they were yielded. */
  async *all(): AsyncGenerator<Item, void, undefined> {
    for (let item = this.#start.shift(); item !== undefined; item = this.#start.shift()) yield item
    yield* { [Symbol.asyncIterator]: () => this.#items }
  }
}
