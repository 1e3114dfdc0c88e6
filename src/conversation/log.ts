/** The file of a conversation: an append-only log of entries, one per line. A damaged line does not affect the others. */

import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parseStoredJson } from '../io/json.ts'
import { decodeEntry, type Entry } from './entry.ts'

export interface LogContent {
  readonly entries: readonly Entry[]
  /** Numbers of damaged lines, starting at 1. */
  readonly damaged: readonly number[]
  /** Numbers of lines of an unknown type. */
  readonly unknown: readonly number[]
}

/** A part that is decoded only if its answer has no end. */
interface UnreadPart {
  readonly type: 'unread part'
  readonly answer: string
  readonly line: string
}

/** Omits the parts of answers with an end, which repeats them: decoding them would be most of the work. */
export function readLog(text: string): LogContent {
  const read: (Entry | UnreadPart)[] = []
  const damaged: number[] = []
  const unknown: number[] = []
  const started = new Set<string>()
  const ended = new Set<string>()
  const add = (entry: Entry): void => {
    read.push(entry)
    if (entry.type === 'answer') started.add(entry.id)
    if (entry.type === 'end') ended.add(entry.answer)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const answer = answerOfPart(line)
    if (answer !== undefined && started.has(answer)) {
      read.push({ type: 'unread part', answer, line })
      continue
    }
    if (line.trim() === '') continue
    const json = parseStoredJson(line)
    const entry = json === undefined ? undefined : decodeEntry(json)
    if (entry === 'unknown') unknown.push(index + 1)
    else if (entry) add(entry)
    else {
      damaged.push(index + 1)
      const rescued = entryAtEnd(line)
      if (rescued) add(rescued)
    }
  }
  const entries = read.flatMap((one) => (one.type === 'unread part' ? decodeUnlessEnded(one, ended) : [one]))
  return { entries, damaged, unknown }
}

function decodeUnlessEnded({ answer, line }: UnreadPart, ended: ReadonlySet<string>): Entry[] {
  if (ended.has(answer)) return []
  const entry = decodeEntry(parseStoredJson(line, null))
  return entry === undefined || entry === 'unknown' ? [] : [entry]
}

/**
 * The entry that was appended to a line left incomplete by another process, or a full disk. Quotes are escaped inside
 * strings, so only an object can start like this; a nested one is followed by the end of its parent.
 */
function entryAtEnd(line: string): Entry | undefined {
  for (const { index } of line.matchAll(/(?<=.)\{"type":"/g)) {
    const json = parseStoredJson(line.slice(index))
    const entry = json === undefined ? undefined : decodeEntry(json)
    if (entry !== undefined && entry !== 'unknown') return entry
  }
  return undefined
}

const characters = String.raw`[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`
const delta = String.raw`\{"type":"(?:text|reasoning|refusal)","index":(?:0|[1-9]\d{0,8}),"text":"${characters}"\}`
const partStart = '{"type":"part","answer":"'

/** Matches a complete part as `LogWriter` writes it: no damaged or joined lines. */
const wholePart = new RegExp(String.raw`^${partStart}[\w-]+","deltas":\[${delta}(?:,${delta})*\]\}$`)

/**
 * Recognizes a part without parsing it: parts are most of a file.
 * @returns the id of its answer; `undefined` for other lines, and for parts in another notation.
 */
function answerOfPart(line: string): string | undefined {
  if (!wholePart.test(line)) return undefined
  return line.slice(partStart.length, line.indexOf('"', partStart.length))
}

/**
 * Appends to a log. After `write`, the entries survive the end of this process. Each call is one write with O_APPEND, so
 * that the lines of two processes do not mix.
 */
export class LogWriter {
  readonly path: string
  readonly #file: number
  readonly #mask: (text: string) => string

  /**
   * @param mask Masks the API key in a text.
   * @param options With `isNew` the file is created and must not exist; otherwise it must.
   * @throws system errors.
   */
  constructor(path: string, mask: (text: string) => string, { isNew = false } = {}) {
    this.path = path
    this.#file = openSync(path, isNew ? 'ax' : constants.O_WRONLY | constants.O_APPEND, 0o600)
    this.#mask = mask
    if ((fstatSync(this.#file).mode & 0o077) !== 0) fchmodSync(this.#file, 0o600)
  }

  /** @throws system errors, such as a full disk. */
  write(...entries: readonly Entry[]): void {
    const bytes = Buffer.from(entries.map((entry) => this.#line(entry)).join(''))
    let written = 0
    while (written < bytes.length) written += writeSync(this.#file, bytes, written)
  }

  /** After it, the entries survive a power failure too. @throws system errors. */
  close(): void {
    try {
      fdatasyncSync(this.#file)
    } finally {
      closeSync(this.#file)
    }
  }

  #line(entry: Entry): string {
    return `${JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'string' ? this.#mask(value) : value))}\n`
  }
}

/** How many bytes at the end of a file are read first, and the growth factor for each next try. */
const tail = { first: 4096, growth: 16 }

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
 * @returns milliseconds since 1970; `undefined` if the file has no such time.
 * @throws system errors.
 */
export function lastActivity(file: number, size: number): number | undefined {
  for (let length = tail.first; ; length *= tail.growth) {
    const from = Math.max(0, size - length)
    const text = readRange(file, from, size)
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1 || text.length
    const time = lastTime(text, whole) ?? (from === 0 ? undefined : timeAtStart(file, from + whole - 1))
    if (time !== undefined || from === 0) return time
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
  if (line === '' || answerOfPart(line) !== undefined) return undefined
  const [, type, at] = datedStart.exec(line) ?? []
  if (type !== undefined && at !== undefined) return activityTypes.has(type) ? milliseconds(at) : undefined
  const entry = readLog(line).entries.findLast((one) => activityTypes.has(one.type))
  return entry && 'at' in entry ? milliseconds(entry.at) : undefined
}

function milliseconds(at: string): number | undefined {
  const time = Date.parse(at)
  return Number.isNaN(time) ? undefined : time
}
