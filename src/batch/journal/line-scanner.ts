/** Reads a file line by line, with the offset of each. Of a line only the start and the end are kept. */

import { read } from 'node:fs'
import { promisify } from 'node:util'
import { turn } from '../../io/abort.ts'

export interface ScannedLine {
  /** Where it starts in the file, in bytes. */
  readonly offset: number
  /** In bytes, without the line end. */
  readonly size: number
  /** At most its first 65,536 bytes. */
  readonly start: Buffer
  /** At most its last 16 bytes. */
  readonly end: string
}

/** Lines that one read completed, or some of them. */
export interface ScannedPart {
  readonly lines: readonly ScannedLine[]
  /** Where the last of them ends, with its line end. */
  readonly end: number
}

const chunkSize = 1024 * 1024
const maxStartSize = 65_536
const endSize = 16
const lineFeed = 0x0a

/** In lines of a part: of empty ones, a chunk has a million. */
const longestPart = 4096

const noBytes = Buffer.alloc(0)

const readAt = promisify(read)

/**
 * @param hasWholeLines Whether what follows the last line end is left out, as it may be half a line.
 * @throws system errors; the signal's reason if it has aborted.
 */
export async function* scanLines(
  file: number,
  hasWholeLines: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ScannedPart, void, undefined> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  let line = new PartialLine(0)
  for (let position = 0; ;) {
    const { bytesRead } = await readAt(file, chunk, 0, chunkSize, position)
    if (bytesRead === 0) {
      if (!hasWholeLines && line.size > 0) yield { lines: [line], end: line.offset + line.size }
      return
    }
    const bytes = chunk.subarray(0, bytesRead)
    let lines: ScannedLine[] = []
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, at)) {
      line.add(bytes.subarray(at, end))
      lines.push(line)
      at = end + 1
      line = new PartialLine(position + at)
      if (lines.length < longestPart) continue
      yield { lines, end: line.offset }
      lines = []
      await turn(signal)
    }
    // The next chunk overwrites the bytes of this one, but not before its lines have been looked at.
    line.add(Buffer.from(bytes.subarray(at)))
    position += bytesRead
    yield { lines, end: line.offset }
  }
}

class PartialLine implements ScannedLine {
  readonly offset: number
  size = 0
  start: Buffer = noBytes
  end = ''

  constructor(offset: number) {
    this.offset = offset
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return
    const kept = bytes.subarray(0, maxStartSize - this.start.length)
    this.start = this.start.length === 0 ? kept : Buffer.concat([this.start, kept])
    this.end = (this.end + bytes.toString('latin1', Math.max(0, bytes.length - endSize))).slice(-endSize)
    this.size += bytes.length
  }
}
