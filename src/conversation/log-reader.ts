/** Reads a log in blocks: it may be larger than what should be in memory twice. */

import { readSync } from 'node:fs'
import { isObject, parseStoredJson } from '../io/json.ts'
import type { Secrets } from '../io/secrets.ts'
import { decodeEntry, type Entry } from './entry.ts'

export interface LogContent {
  readonly entries: readonly Entry[]
  /** Numbers of damaged lines, starting at 1. */
  readonly damaged: readonly number[]
  /** Numbers of lines of an unknown type. */
  readonly unknown: readonly number[]
  /** Answers without an end. */
  readonly unfinished: readonly string[]
  /** In bytes; another process may have appended to the file since. */
  readonly size: number
}

/** Consecutive parts of one answer, which are decoded only if it has no end. */
interface UnreadParts {
  readonly type: 'unread parts'
  readonly answer: string
  /** Offsets in the file. */
  readonly from: number
  readonly to: number
}

/** In bytes. In larger blocks the pattern below takes up to twice the time. */
const blockSize = 65_536

/** In characters. The pattern needs a stack that grows with the text: 5 million escapes exceed it. */
const longestMatch = 1024 * 1024

const characters = String.raw`[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`
const delta = String.raw`\{"type":"(?:text|reasoning|refusal)","index":(?:0|[1-9]\d{0,8}),"text":"${characters}"\}`
const restOfPart = String.raw`","deltas":\[${delta}(?:,${delta})*\]\}`
const partStart = '{"type":"part","answer":"'

/** Matches a complete part as `LogWriter` writes it: no damaged or joined lines. */
const wholePart = new RegExp(String.raw`^${partStart}[\w-]+${restOfPart}$`)

/** Matches lines of complete parts of one answer. Parts are most of a file that an earlier version wrote. */
const wholeParts = new RegExp(String.raw`${partStart}([\w-]+)${restOfPart}\n(?:${partStart}\1${restOfPart}\n)*`, 'y')

/**
 * Omits the parts of answers with an end, which repeats them: decoding them would be most of the work. Masks the API keys: the
 * file may have been edited by hand, or hold a text that became a key later.
 * @throws system errors.
 */
export function readLog(file: number, secrets: Secrets): LogContent {
  const reader = new LogReader(secrets)
  const size = readBlocks(file, (block, offset) => reader.take(block, offset))
  return { ...reader.content(file), size }
}

/** Whether a line is a complete part. False for a very long one. */
export function isWholePart(line: string): boolean {
  return line.length <= longestMatch && wholePart.test(line)
}

/** The entry of a line, or the one at the end of a damaged line. Without `secrets`, for what is not shown. */
export function entryOf(line: string, secrets?: Secrets): Entry | undefined {
  const entry = decodeLine(line, secrets)
  return entry === 'unknown' ? undefined : (entry ?? entryAtEnd(line, secrets))
}

class LogReader {
  readonly #secrets: Secrets
  readonly #read: (Entry | UnreadParts)[] = []
  readonly #started = new Set<string>()
  readonly #ended = new Set<string>()
  /** Offsets of lines. */
  readonly #damaged: number[] = []
  readonly #unknown: number[] = []

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** @param offset Where these complete lines are in the file. */
  take(block: Buffer, offset: number): void {
    let text: string | undefined
    for (let at = 0; at < block.length;) {
      if (block.length <= longestMatch && block.toString('latin1', at, at + partStart.length) === partStart) {
        text ??= block.toString('latin1')
        const end = this.#takeParts(block, text, at, offset)
        if (end > at) {
          at = end
          continue
        }
      }
      const end = endOfLine(block, at)
      this.#takeLine(block.toString('utf8', at, end), offset + at)
      at = end + 1
    }
  }

  /** @param file For the parts that were skipped. */
  content(file: number): Omit<LogContent, 'size'> {
    return {
      entries: this.#read.flatMap((one) => (one.type === 'unread parts' ? this.#partsIn(one, file) : [one])),
      damaged: lineNumbers(file, this.#damaged),
      unknown: lineNumbers(file, this.#unknown),
      unfinished: [...this.#started].filter((answer) => !this.#ended.has(answer)),
    }
  }

  /** @returns where the parts that start at this offset of the block end; that offset if none does. */
  #takeParts(block: Buffer, text: string, at: number, offset: number): number {
    wholeParts.lastIndex = at
    const [lines = '', answer = ''] = wholeParts.exec(text) ?? []
    const to = at + lines.length
    if (this.#started.has(answer)) {
      this.#read.push({ type: 'unread parts', answer, from: offset + at, to: offset + to })
      return to
    }
    for (let from = at; from < to; from = endOfLine(block, from) + 1) {
      this.#takeLine(block.toString('utf8', from, endOfLine(block, from)), offset + from)
    }
    return to
  }

  #takeLine(line: string, offset: number): void {
    if (line.trim() === '') return
    const entry = decodeLine(line, this.#secrets)
    if (entry === 'unknown') this.#unknown.push(offset)
    else if (entry) this.#add(entry)
    else {
      this.#damaged.push(offset)
      const rescued = entryAtEnd(line, this.#secrets)
      if (rescued) this.#add(rescued)
    }
  }

  #add(entry: Entry): void {
    this.#read.push(entry)
    if (entry.type === 'answer') this.#started.add(entry.id)
    if (entry.type === 'end') this.#ended.add(entry.answer)
  }

  #partsIn({ answer, from, to }: UnreadParts, file: number): Entry[] {
    if (this.#ended.has(answer)) return []
    const lines = Buffer.allocUnsafe(to - from)
    readSync(file, lines, 0, lines.length, from)
    return lines
      .toString('utf8')
      .split('\n')
      .flatMap((line) => entryOf(line, this.#secrets) ?? [])
  }
}

/** @returns `unknown` for an unknown type; `undefined` for a damaged line. */
function decodeLine(line: string, secrets?: Secrets): Entry | 'unknown' | undefined {
  const json = parseStoredJson(line)
  if (secrets?.mayBeIn(line) && isObject(json)) secrets.maskValues(json)
  return json === undefined ? undefined : decodeEntry(json)
}

/** The entry that was appended to a line left incomplete by another process, or a full disk. */
function entryAtEnd(line: string, secrets?: Secrets): Entry | undefined {
  const start = startOfLastObject(line)
  const entry = start > 0 ? decodeLine(line.slice(start), secrets) : undefined
  return entry === 'unknown' ? undefined : entry
}

/** Where the JSON object starts that a line ends with; -1 if there is none. Found from its end, in linear time. */
function startOfLastObject(line: string): number {
  let depth = 0
  for (let at = line.trimEnd().length - 1; at >= 0; at--) {
    const character = line[at]
    if (character === '"') at = startOfString(line, at)
    else if (character === '}') depth++
    else if (character === '{') depth--
    if (depth === 0) return character === '{' ? at : -1
  }
  return -1
}

/** @param end Of a string in JSON: the offset of its last quote. */
function startOfString(line: string, end: number): number {
  for (let at = line.lastIndexOf('"', end - 1); at > 0; at = line.lastIndexOf('"', at - 1)) {
    let escapes = 0
    while (line[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
  return -1
}

/**
 * Calls `take` with consecutive complete lines; the last one may lack its newline.
 * @returns the size of the file, in bytes.
 */
function readBlocks(file: number, take: (block: Buffer, offset: number) => void): number {
  let buffer = Buffer.allocUnsafe(blockSize)
  let filled = 0
  for (let offset = 0; ;) {
    const read = readSync(file, buffer, filled, buffer.length - filled, offset + filled)
    filled += read
    const length = read === 0 ? filled : buffer.subarray(0, filled).lastIndexOf('\n') + 1
    if (length > 0) take(buffer.subarray(0, length), offset)
    offset += length
    if (read === 0) return offset
    const rest = buffer.subarray(length, filled)
    // Grows for a long line, and shrinks after a very long one.
    if (length === 0) buffer = Buffer.allocUnsafe(2 * buffer.length)
    else if (buffer.length > longestMatch && rest.length < blockSize) buffer = Buffer.allocUnsafe(blockSize)
    filled = rest.copy(buffer)
  }
}

/** The offset of the newline, or of the end of the block. */
function endOfLine(block: Buffer, from: number): number {
  const end = block.indexOf('\n', from)
  return end === -1 ? block.length : end
}

/** @param offsets Ascending. Lines are counted only if one of them is damaged, which few files have. */
function lineNumbers(file: number, offsets: readonly number[]): number[] {
  const numbers: number[] = []
  let line = 1
  if (offsets.length > 0) {
    readBlocks(file, (block, offset) => {
      for (let at = 0; at < block.length; at = endOfLine(block, at) + 1, line++) {
        if (offsets[numbers.length] === offset + at) numbers.push(line)
      }
    })
  }
  return numbers
}
