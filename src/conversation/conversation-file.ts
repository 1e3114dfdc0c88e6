/** The file of a conversation: an append-only log of entries, one per line. A damaged line does not affect the others. */

import * as fs from 'node:fs'
import { defer } from '../io/defer.ts'
import { openRegularFile } from '../io/files/regular-file.ts'
import { parseStoredJson } from '../io/json/parse.ts'
import { decodeEntry, type Entry, entryFormats } from './entry.ts'

/**
 * Appends to a log. After `write`, the entries survive the end of this process. Each call is one write with O_APPEND, so
 * that the lines of two processes do not mix.
 */
export class ConversationFileWriter {
  readonly path: string
  readonly #file: number

  /**
   * @param options With `isNew` the file is created and must not exist; otherwise it must.
   * @throws system errors; FailedError for anything but a file.
   */
  constructor(path: string, { isNew = false } = {}) {
    this.path = path
    this.#file = isNew
      ? fs.openSync(path, 'ax', 0o600)
      : openRegularFile(path, fs.constants.O_WRONLY | fs.constants.O_APPEND)
    if ((fs.fstatSync(this.#file).mode & 0o077) !== 0) fs.fchmodSync(this.#file, 0o600)
  }

  /** @throws system errors, such as a full disk. */
  write(...entries: readonly Entry[]): void {
    fs.writeFileSync(this.#file, Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')))
  }

  /** Ends a line that a failed write has begun. @throws system errors. */
  endLine(): void {
    fs.writeFileSync(this.#file, Buffer.from('\n'))
  }

  /** After it, the entries survive a power failure too. @throws system errors. */
  close(): void {
    using _file = defer(() => fs.closeSync(this.#file))
    fs.fdatasyncSync(this.#file)
  }

  /** Closes and removes the file, if possible: parts that stay behind are not read again. @throws system errors. */
  discard(): void {
    fs.closeSync(this.#file)
    try {
      fs.unlinkSync(this.path)
    } catch {
      // On Windows, another process may be reading the file.
    }
  }
}

const lineFeed = 10

/** The numbers of lines that were skipped, starting at 1. */
export interface SkippedLines {
  readonly damaged: readonly number[]
  /** The numbers of those with an unknown type. */
  readonly unknown: readonly number[]
}

/**
 * The entries, one at a time: all of them may be much more than the conversation that is made of them.
 * @param file A file that was just opened.
 * @returns at last, the lines that are no entries.
 * @throws system errors.
 */
export function* readConversationFile(file: number): Generator<Entry, SkippedLines> {
  let bytes: Buffer = fs.readFileSync(file)
  // Another process may be writing a line, whose rest is there a moment later.
  for (let more = bytes; more.length > 0 && bytes.at(-1) !== lineFeed; bytes = Buffer.concat([bytes, more])) {
    more = fs.readFileSync(file)
  }
  const damaged: number[] = []
  const unknown: number[] = []
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const newline = bytes.indexOf(lineFeed, from)
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.toString('utf8', from, end)
    from = end + 1
    if (line.trim() === '') continue
    let entry = decodeLine(line)
    if (entry === undefined) {
      damaged.push(number)
      entry = decodeEndOfLine(line)
    } else if (entry === 'unknown') unknown.push(number)
    if (entry !== undefined && entry !== 'unknown') yield entry
  }
  return { damaged, unknown }
}

/** @returns `unknown` for an unknown type; `undefined` for a damaged line. */
function decodeLine(line: string): Entry | 'unknown' | undefined {
  const json = parseStoredJson(line)
  return json === undefined ? undefined : decodeEntry(json)
}

/** The start of an entry, which no text has: its quotes would be escaped there. */
const entryStart = new RegExp(`\\{"type":"(?:${Object.keys(entryFormats).join('|')})"`, 'g')

/** Each may take as long as to read the whole line. */
const maxStarts = 100

/** The entry that was appended to a line left incomplete by another process, or a full disk. */
function decodeEndOfLine(line: string): ReturnType<typeof decodeLine> {
  const starts = [...line.matchAll(entryStart)].slice(-maxStarts).toReversed()
  for (const { index } of starts) {
    const entry = index > 0 ? decodeLine(line.slice(index)) : undefined
    if (entry !== undefined) return entry
  }
  return undefined
}
