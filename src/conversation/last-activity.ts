/** Finds the time of the last activity at the end of a log. */

import { readSync } from 'node:fs'
import type { Entry } from './entry.ts'
import { entryOf, isWholePart } from './log-reader.ts'

/** How many bytes at the end of a file are read first, the growth factor for each next try, and how many at most. */
const tail = { first: 4096, growth: 16, most: 16 * 1024 * 1024 }

/** Enough bytes to find the time at the start of a line, as `LogWriter` writes it. */
const headLength = 256

/** A reused buffer for finding the start of a long line, such as the end entry of an answer. */
const scanBuffer = Buffer.allocUnsafe(65_536)

/** Renaming and undoing do not count as activity. */
const activityTypes: ReadonlySet<string> = new Set<Entry['type']>(['turn', 'answer', 'end'])

/** The start of a line that is not a part, as `LogWriter` writes it. */
const datedStart = /^\{"type":"(\w+)","at":"([^"\\]+)"/

/**
 * The time of the last turn or answer, from the log: the mtime of a file changes when it is copied. Reads only its end.
 * @param file An open file of this size, in bytes.
 * @returns milliseconds since 1970; `undefined` if the file, or its last 16 MiB, has no such time.
 * @throws system errors.
 */
export function lastActivity(file: number, size: number): number | undefined {
  for (let length = tail.first; ; length *= tail.growth) {
    const from = Math.max(0, size - length)
    const text = readRange(file, from, size)
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1 || text.length
    const time = lastTime(text, whole) ?? (from === 0 ? undefined : timeAtStart(file, from + whole - 1))
    if (time !== undefined || from === 0 || length >= tail.most) return time
  }
}

/** As latin1: the range may start inside a multi-byte character, and times are ASCII. */
function readRange(file: number, from: number, to: number): string {
  const bytes = Buffer.allocUnsafe(to - from)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return bytes.toString('latin1', 0, length)
}

/** The time at the start of the line that ends at this offset. */
function timeAtStart(file: number, end: number): number | undefined {
  const begin = startOfLine(file, end)
  const [, type = '', at = ''] = datedStart.exec(readRange(file, begin, Math.min(end, begin + headLength))) ?? []
  return activityTypes.has(type) ? milliseconds(at) : undefined
}

function startOfLine(file: number, end: number): number {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - scanBuffer.length)
    const length = readSync(file, scanBuffer, 0, to - from, from)
    const newline = scanBuffer.subarray(0, length).lastIndexOf('\n')
    if (newline >= 0) return from + newline + 1
    to = from
  }
  return 0
}

/** @param from The offset of the first complete line. */
function lastTime(text: string, from: number): number | undefined {
  for (let end = text.length; end > from;) {
    const begin = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
    const time = timeOfLine(text.slice(begin, end))
    if (time !== undefined) return time
    end = begin - 1
  }
  return undefined
}

function timeOfLine(line: string): number | undefined {
  if (line === '' || isWholePart(line)) return undefined
  const [, type, at] = datedStart.exec(line) ?? []
  if (type !== undefined && at !== undefined) return activityTypes.has(type) ? milliseconds(at) : undefined
  const entry = entryOf(line)
  return entry && 'at' in entry && activityTypes.has(entry.type) ? milliseconds(entry.at) : undefined
}

function milliseconds(at: string): number | undefined {
  const time = Date.parse(at)
  return Number.isNaN(time) ? undefined : time
}
