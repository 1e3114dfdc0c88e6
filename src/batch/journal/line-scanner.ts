/** Reads all lines of a file in their order. */

import { constants } from 'node:buffer'
import { read } from 'node:fs'
import { promisify } from 'node:util'

/** A line without its end. Valid until the next block is read. */
export interface ScannedLine {
  /** Where it starts in the file, in bytes. */
  readonly offset: number
  readonly bytes: Buffer
}

/** Some lines, and where the last of them ends, with its line end. */
interface ScannedLines {
  readonly lines: readonly ScannedLine[]
  readonly end: number
}

/** In bytes, of which empty lines would be as many. */
const chunkSize = 256 * 1024
const maxLines = 4096
const lineFeed = 0x0a

const readAt = promisify(read)

/**
 * Of a line that is longer than a text can be, parts are lines.
 * @param hasWholeLines Whether what follows the last line end is left out, as it may be half a line.
 * @throws system errors; the signal's reason if it has aborted.
 */
export async function* scanLines(
  file: number,
  hasWholeLines: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ScannedLines, void, undefined> {
  const usual = Buffer.allocUnsafe(chunkSize)
  for (let [start, size] = [0, chunkSize]; ;) {
    signal?.throwIfAborted()
    const chunk = size === chunkSize ? usual : Buffer.allocUnsafe(size)
    const bytes = chunk.subarray(0, (await readAt(file, chunk, 0, size, start)).bytesRead)
    const lines: ScannedLine[] = []
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1 && lines.length < maxLines; end = bytes.indexOf(lineFeed, at)) {
      lines.push({ offset: start + at, bytes: bytes.subarray(at, end) })
      at = end + 1
    }
    const isLast = bytes.length < size && lines.length < maxLines
    const isTooLong = at === 0 && size > constants.MAX_STRING_LENGTH
    if (isTooLong || (isLast && !hasWholeLines && at < bytes.length)) {
      lines.push({ offset: start + at, bytes: bytes.subarray(at) })
      at = bytes.length
    }
    if (at > 0) yield { lines, end: start + at }
    if (isLast) return
    start += at
    size = at > 0 ? chunkSize : 4 * size
  }
}
