/**
 * Reads a journal from its start to its end. Of each record only the start is decoded: everything but the result, which may
 * be large.
 */

import { read } from 'node:fs'
import { promisify } from 'node:util'
import { isObject, type Json, type JsonObject, parseStoredJson } from '../io/json.ts'
import { decodeManifest, type Manifest } from './manifest.ts'

export type JournalEntry =
  | { readonly type: 'manifest'; readonly manifest: Manifest }
  | ({ readonly type: 'record' } & JournalRecord)
  | { readonly type: 'end'; readonly end: RunEnd; readonly inFlight: number }
  /** A damaged line. */
  | { readonly type: 'invalid' }

export interface JournalRecord {
  /** Where it starts in the journal, in bytes. */
  readonly offset: number
  readonly hash: string
  /** The number of requests that were sent at once. */
  readonly jobs: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly isFailed: boolean
  readonly isCutOff: boolean
}

/** How a run ended; without it, the run was killed. */
export type RunEnd = 'complete' | 'stopped' | 'interrupted'

export interface JournalPart {
  readonly entries: readonly JournalEntry[]
  /** Where the last of these lines ends. What follows the last one of all was torn when it was written. */
  readonly end: number
}

const chunkSize = 1024 * 1024

/** In bytes, far more than the longest start of a record. */
const maxHeadSize = 65_536

const [lineFeed, closingBrace] = [0x0a, 0x7d]

/** What follows the start of a record. Inside a string the quotes would be escaped. */
export const resultKey = ',"result":'

const readAt = promisify(read)

/** @throws system errors. */
export async function* readJournal(file: number): AsyncGenerator<JournalPart, void, undefined> {
  const line = new PartialLine()
  const chunk = Buffer.allocUnsafe(chunkSize)
  for (let position = 0, start = 0; ;) {
    const { bytesRead } = await readAt(file, chunk, 0, chunkSize, position)
    if (bytesRead === 0) return
    const bytes = chunk.subarray(0, bytesRead)
    const entries: JournalEntry[] = []
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, at)) {
      line.add(bytes.subarray(at, end))
      entries.push(line.decode(start))
      line.clear()
      at = end + 1
      start = position + at
    }
    line.add(bytes.subarray(at))
    position += bytesRead
    yield { entries, end: start }
  }
}

/** A line, of which only the start is kept. */
class PartialLine {
  #head: Buffer = Buffer.alloc(0)
  #size = 0
  #lastByte = 0
  #hasNul = false

  add(bytes: Buffer): void {
    if (bytes.length === 0) return
    const kept = bytes.subarray(0, Math.max(0, maxHeadSize - this.#head.length))
    // Copied, as the next chunk overwrites it.
    if (kept.length > 0) this.#head = Buffer.concat([this.#head, kept])
    this.#size += bytes.length
    this.#lastByte = bytes.at(-1) ?? 0
    // After a power failure, a block that was not written is full of them.
    this.#hasNul ||= bytes.includes(0)
  }

  clear(): void {
    this.#head = Buffer.alloc(0)
    this.#size = 0
    this.#hasNul = false
  }

  /** @param offset Where it starts in the journal. */
  decode(offset: number): JournalEntry {
    if (this.#hasNul || this.#lastByte !== closingBrace) return { type: 'invalid' }
    const headEnd = this.#head.indexOf(resultKey)
    if (headEnd !== -1) return recordOf(parseStoredJson(`${this.#head.toString('utf8', 0, headEnd)}}`), offset)
    if (this.#size > this.#head.length) return { type: 'invalid' }
    const json = parseStoredJson(this.#head.toString())
    const manifest = decodeManifest(json)
    return manifest ? { type: 'manifest', manifest } : endOf(json)
  }
}

function recordOf(json: Json | undefined, offset: number): JournalEntry {
  if (!isObject(json) || typeof json.hash !== 'string' || !/^[\da-f]{32}$/.test(json.hash)) return { type: 'invalid' }
  const usage = isObject(json.usage) ? json.usage : {}
  return {
    type: 'record',
    offset,
    hash: json.hash,
    jobs: numberOf(json, 'jobs'),
    promptTokens: numberOf(usage, 'prompt_tokens'),
    completionTokens: numberOf(usage, 'completion_tokens'),
    isFailed: json.failed === true,
    isCutOff: json.cut_off === true,
  }
}

function endOf(json: Json | undefined): JournalEntry {
  if (!isObject(json) || typeof json.end !== 'string') return { type: 'invalid' }
  return { type: 'end', end: json.end as RunEnd, inFlight: numberOf(json, 'in_flight') }
}

function numberOf(json: JsonObject, key: string): number {
  const value = json[key]
  return typeof value === 'number' ? value : 0
}
