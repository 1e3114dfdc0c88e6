/** When something was last said in a conversation. Its file tells: the file's own time changes when it is copied. */

import { readSync } from 'node:fs'
import type { Entry } from './entry.ts'
import { answerOfPart } from './part-line.ts'
import { readEntries } from './read.ts'

/** How much of a file's end is read at first, in bytes; and how many times as much where that tells nothing. */
const tail = { first: 4096, growth: 16 }

/** How much of a line tells when it was said, where it is as it is written. */
const headLength = 256

/** To look for the beginning of a long line, such as that of an answer, without keeping it. */
const searched = Buffer.allocUnsafe(65_536)

/** A name is nothing that was said, nor is what was taken back. */
const said: ReadonlySet<string> = new Set<Entry['type']>(['turn', 'answer', 'end'])

/** How a line begins that is not a part, as it is written. */
const dated = /^\{"type":"(\w+)","at":"([^"\\]+)"/

/**
 * @param file An open file of this size, in bytes.
 * @returns milliseconds since 1970; nothing where the file doesn't say.
 * @throws what the system reports.
 */
export function lastSaid(file: number, size: number): number | undefined {
  for (let length = tail.first; ; length *= tail.growth) {
    const from = Math.max(0, size - length)
    const text = textOf(file, from, size)
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1 || text.length
    const time = lastTime(text, whole) ?? (from === 0 ? undefined : timeAtHead(file, from + whole - 1))
    if (time !== undefined || from === 0) return time
  }
}

/** Any byte is a character here: what is read may begin within one of several bytes, and times have none of these. */
function textOf(file: number, from: number, to: number): string {
  return bytesOf(file, from, to).toString('latin1')
}

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** Of the line that ends here, so far as its beginning tells. */
function timeAtHead(file: number, end: number): number | undefined {
  const begin = beginOfLine(file, end)
  const [, type = '', at = ''] = dated.exec(textOf(file, begin, Math.min(end, begin + headLength))) ?? []
  return said.has(type) ? milliseconds(at) : undefined
}

function beginOfLine(file: number, end: number): number {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - searched.length)
    const length = readSync(file, searched, 0, to - from, from)
    const place = searched.subarray(0, length).lastIndexOf('\n')
    if (place >= 0) return from + place + 1
    to = from
  }
  return 0
}

/** @param from Where the first whole line begins. */
function lastTime(text: string, from: number): number | undefined {
  for (let end = text.length; end > from;) {
    const begin = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
    const time = timeOf(text.slice(begin, end))
    if (time !== undefined) return time
    end = begin - 1
  }
  return undefined
}

function timeOf(line: string): number | undefined {
  if (line === '' || answerOfPart(line) !== undefined) return undefined
  const [, type, at] = dated.exec(line) ?? []
  if (type !== undefined && at !== undefined) return said.has(type) ? milliseconds(at) : undefined
  const entry = readEntries(line).entries.findLast((one) => said.has(one.type))
  return entry && 'at' in entry ? milliseconds(entry.at) : undefined
}

function milliseconds(at: string): number | undefined {
  const time = Date.parse(at)
  return Number.isNaN(time) ? undefined : time
}
