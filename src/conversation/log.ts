/** The file of a conversation: an append-only log of entries, one per line. A damaged line costs only itself. */

import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parseJsonIfValid } from '../io/json.ts'
import { decodeEntry, type Entry } from './entry.ts'

export interface LogContent {
  readonly entries: readonly Entry[]
  /** Numbers of damaged lines, from 1. */
  readonly damaged: readonly number[]
  /** Numbers of lines of an unknown type. */
  readonly unknown: readonly number[]
}

/** A part that is not decoded unless its answer turns out to have no end. */
interface UnreadPart {
  readonly type: 'unread part'
  readonly answer: string
  readonly line: string
}

/** Parts are left out where their answer has an end, which repeats them: decoding them would be most of the work. */
export function readLog(text: string): LogContent {
  const read: (Entry | UnreadPart)[] = []
  const damaged: number[] = []
  const unknown: number[] = []
  const begun = new Set<string>()
  const ended = new Set<string>()
  const add = (entry: Entry): void => {
    read.push(entry)
    if (entry.type === 'answer') begun.add(entry.id)
    if (entry.type === 'end') ended.add(entry.answer)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const answer = answerOfPart(line)
    if (answer !== undefined && begun.has(answer)) {
      read.push({ type: 'unread part', answer, line })
      continue
    }
    if (line.trim() === '') continue
    const json = parseJsonIfValid(line)
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
  const entry = decodeEntry(parseJsonIfValid(line, null))
  return entry === undefined || entry === 'unknown' ? [] : [entry]
}

/**
 * The entry that a run appended to a line which another run, or a full disk, had left incomplete. Quotes are escaped
 * inside a string, so that only an object can begin like this; a nested one is followed by the end of its parent.
 */
function entryAtEnd(line: string): Entry | undefined {
  for (const { index } of line.matchAll(/(?<=.)\{"type":"/g)) {
    const json = parseJsonIfValid(line.slice(index))
    const entry = json === undefined ? undefined : decodeEntry(json)
    if (entry !== undefined && entry !== 'unknown') return entry
  }
  return undefined
}

const characters = String.raw`[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`
const delta = String.raw`\{"type":"(?:text|reasoning|refusal)","index":(?:0|[1-9]\d{0,8}),"text":"${characters}"\}`
const partStart = '{"type":"part","answer":"'

/** A part exactly as it is written, to its end, so that no damaged or joined lines match. */
const wholePart = new RegExp(String.raw`^${partStart}[\w-]+","deltas":\[${delta}(?:,${delta})*\]\}$`)

/**
 * Recognizes a part without parsing it: parts are most of a file.
 * @returns the id of its answer; `undefined` for any other line, and for parts in any other form.
 */
function answerOfPart(line: string): string | undefined {
  if (!wholePart.test(line)) return undefined
  return line.slice(partStart.length, line.indexOf('"', partStart.length))
}

/**
 * Appends to a log. What `write` has taken, the system has: it survives the end of this process. Each call is one write
 * with O_APPEND, so that the lines of two runs do not mix.
 */
export class LogWriter {
  readonly path: string
  readonly #file: number
  readonly #mask: (text: string) => string

  /**
   * @param mask Takes the API key out of a text.
   * @param options With `isNew` the file is created, and must not exist; otherwise it must.
   * @throws what the system reports.
   */
  constructor(path: string, mask: (text: string) => string, { isNew = false } = {}) {
    this.path = path
    this.#file = openSync(path, isNew ? 'ax' : constants.O_WRONLY | constants.O_APPEND, 0o600)
    this.#mask = mask
    if ((fstatSync(this.#file).mode & 0o077) !== 0) fchmodSync(this.#file, 0o600)
  }

  /** @throws what the system reports, such as a full disk. */
  write(...entries: readonly Entry[]): void {
    const bytes = Buffer.from(entries.map((entry) => this.#line(entry)).join(''))
    let written = 0
    while (written < bytes.length) written += writeSync(this.#file, bytes, written)
  }

  /** What was written survives a power failure too. @throws what the system reports. */
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

/** How many bytes at the end of a file are read first, and the factor for the next try. */
const tail = { first: 4096, growth: 16 }

/** How many bytes of a line are enough to find its time, in the form in which it is written. */
const headLength = 256

/** For finding the start of a long line, such as the end of an answer, without keeping it. */
const searched = Buffer.allocUnsafe(65_536)

/** Renaming a conversation or taking something back is not activity. */
const activity: ReadonlySet<string> = new Set<Entry['type']>(['turn', 'answer', 'end'])

/** The start of a line that is not a part, in the form in which it is written. */
const datedStart = /^\{"type":"(\w+)","at":"([^"\\]+)"/

/**
 * The time of the last turn or answer. The log says it, since the file's own time changes when it is copied; only its end
 * is read.
 * @param file An open file of this size, in bytes.
 * @returns milliseconds since 1970; `undefined` where the file has no such time.
 * @throws what the system reports.
 */
export function lastActivity(file: number, size: number): number | undefined {
  for (let length = tail.first; ; length *= tail.growth) {
    const from = Math.max(0, size - length)
    const text = readText(file, from, size)
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1 || text.length
    const time = lastTime(text, whole) ?? (from === 0 ? undefined : timeAtStart(file, from + whole - 1))
    if (time !== undefined || from === 0) return time
  }
}

/** Decoded as latin1: the range may start inside a character of several bytes, and times are ASCII. */
function readText(file: number, from: number, to: number): string {
  const bytes = Buffer.allocUnsafe(to - from)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return bytes.toString('latin1', 0, length)
}

/** The time at the start of the line that ends here. */
function timeAtStart(file: number, end: number): number | undefined {
  const begin = startOfLine(file, end)
  const [, type = '', at = ''] = datedStart.exec(readText(file, begin, Math.min(end, begin + headLength))) ?? []
  return activity.has(type) ? milliseconds(at) : undefined
}

function startOfLine(file: number, end: number): number {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - searched.length)
    const length = readSync(file, searched, 0, to - from, from)
    const newline = searched.subarray(0, length).lastIndexOf('\n')
    if (newline >= 0) return from + newline + 1
    to = from
  }
  return 0
}

/** @param from Where the first whole line starts. */
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
  if (type !== undefined && at !== undefined) return activity.has(type) ? milliseconds(at) : undefined
  const entry = readLog(line).entries.findLast((one) => activity.has(one.type))
  return entry && 'at' in entry ? milliseconds(entry.at) : undefined
}

function milliseconds(at: string): number | undefined {
  const time = Date.parse(at)
  return Number.isNaN(time) ? undefined : time
}
