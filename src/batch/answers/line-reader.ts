/** Reads the lines of a file: all in their order, or single ones by the offsets where they start. */

import { constants } from 'node:buffer'
import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'

const lineFeed = 0x0a

/**
 * Lines without their ends, valid until the next block is read, by where they start in the file, in bytes; and where the last
 * of them ends, with its line end.
 */
interface ScannedLines {
  readonly lines: readonly { readonly offset: number; readonly bytes: Buffer }[]
  readonly end: number
}

/** In bytes, of which empty lines would be as many. */
const chunkSize = 256 * 1024
const maxLines = 4096

const readAt = promisify(read)

/**
 * What follows the last line end is a line that may be half of one: nothing is behind it. Of a line that is longer than a text can be, parts are
 * lines.
 * @throws system errors; the signal's reason if it has aborted.
 */
export async function* scanLines(file: number, signal?: AbortSignal): AsyncGenerator<ScannedLines> {
  const usual = Buffer.allocUnsafe(chunkSize)
  for (let [start, size] = [0, chunkSize]; ;) {
    signal?.throwIfAborted()
    const chunk = size === chunkSize ? usual : Buffer.allocUnsafe(size)
    const bytes = chunk.subarray(0, (await readAt(file, chunk, 0, size, start)).bytesRead)
    const lines: { offset: number; bytes: Buffer }[] = []
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1 && lines.length < maxLines; end = bytes.indexOf(lineFeed, at)) {
      lines.push({ offset: start + at, bytes: bytes.subarray(at, end) })
      at = end + 1
    }
    if (at === 0 && size > constants.MAX_STRING_LENGTH) {
      lines.push({ offset: start, bytes })
      at = bytes.length
    }
    const isLast = bytes.length < size && lines.length < maxLines
    if (isLast && at < bytes.length) {
      lines.push({ offset: start + at, bytes: bytes.subarray(at) })
      at = bytes.length
    }
    if (at > 0) yield { lines, end: start + at }
    if (isLast) return
    start += at
    size = at > 0 ? chunkSize : 4 * size
  }
}

/** In bytes, read at once. */
const farSize = 8 * 1024
const nearSize = 512 * 1024

/** @returns a function that reads the line at an offset, without its end. It is valid until the next call. */
export function lineReader(file: number): (offset: number) => Buffer {
  /** Kept, as many buffers would fill the memory until they are collected. */
  let buffer = Buffer.allocUnsafe(nearSize)
  let [window, start] = [buffer.subarray(0, 0), 0]

  /** Shorter at the end of the file. */
  const slice = (offset: number, size: number): Buffer => {
    if (offset < start || offset + size > start + window.length) {
      // Nearly all rows of a run that was not resumed are.
      const isNear = Math.abs(offset - start) < 2 * nearSize
      // Requests that took longer than the row before are recorded later than it, others before.
      start = isNear ? Math.max(0, offset - nearSize / 8) : offset
      const length = Math.max(offset + size - start, isNear ? nearSize : 0)
      if (length > buffer.length) buffer = Buffer.allocUnsafe(length)
      window = buffer.subarray(0, readSync(file, buffer, 0, length, start))
    }
    return window.subarray(offset - start, offset - start + size)
  }

  /** @throws system errors; Error beyond the end of the file. */
  return (offset) => {
    for (let size = farSize; ; size *= 4) {
      const bytes = slice(offset, size)
      const end = bytes.indexOf(lineFeed)
      if (end !== -1) return bytes.subarray(0, end)
      if (bytes.length < size && bytes.length > 0) return bytes
      if (bytes.length < size) throw new Error(`no line at byte ${offset}`)
    }
  }
}
