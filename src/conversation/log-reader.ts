/** Reads a log, line by line. */

import { readFileSync } from 'node:fs'
import { isObject, parseStoredJson } from '../io/json/json.ts'
import type { Secrets } from '../io/secrets/secrets.ts'
import { decodeEntry, type Entry } from './entry.ts'

const lineFeed = 10

/** The numbers of lines that were skipped, starting at 1. */
export interface SkippedLines {
  readonly damaged: readonly number[]
  /** Of an unknown type. */
  readonly unknown: readonly number[]
}

/**
 * The entries, one at a time: all of them may be much more than the conversation that is made of them. Masks the API keys: the
 * file may have been edited by hand, or hold a text that became a key later.
 * @param file A file that was just opened.
 * @returns at last, the lines that are no entries.
 * @throws system errors.
 */
export function* readLog(file: number, secrets: Secrets): Generator<Entry, SkippedLines> {
  let bytes: Buffer = readFileSync(file)
  // Of a line that another process is writing, the rest is there a moment later.
  for (let more = bytes; more.length > 0 && bytes.at(-1) !== lineFeed; bytes = Buffer.concat([bytes, more])) {
    more = readFileSync(file)
  }
  const damaged: number[] = []
  const unknown: number[] = []
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const newline = bytes.indexOf(lineFeed, from)
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.toString('utf8', from, end)
    from = end + 1
    if (line.trim() === '') continue
    let entry = decodeLine(line, secrets)
    if (entry === undefined) {
      damaged.push(number)
      // The entry that was appended to a line left incomplete by another process, or a full disk.
      const start = startOfLastObject(line)
      if (start > 0) entry = decodeLine(line.slice(start), secrets)
    } else if (entry === 'unknown') unknown.push(number)
    if (entry !== undefined && entry !== 'unknown') yield entry
  }
  return { damaged, unknown }
}

/** @returns `unknown` for an unknown type; `undefined` for a damaged line. */
function decodeLine(line: string, secrets: Secrets): Entry | 'unknown' | undefined {
  const json = parseStoredJson(line)
  if (secrets.mayBeIn(line) && isObject(json)) secrets.maskValues(json)
  return json === undefined ? undefined : decodeEntry(json)
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
