/** Reads a journal from its start to its end. */

import { constants } from 'node:buffer'
import { readSync } from 'node:fs'
import { isObject, type Json, type JsonObject, parseStoredJson } from '../../io/json.ts'
import { scanLines, type ScannedLine } from './line-scanner.ts'
import { decodeManifest, type Manifest, otherVersion } from './manifest.ts'

export type JournalEntry =
  | { readonly type: 'manifest'; readonly manifest: Manifest }
  | ({ readonly type: 'record' } & JournalRecord)
  | { readonly type: 'end'; readonly end: RunEnd; readonly inFlight: number }
  /** The manifest of a version of syn whose journals are in another format. */
  | { readonly type: 'otherVersion'; readonly version: string }
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

const recordStart = '{"line":'

/** What follows the start of a record. Inside a string the quotes would be escaped. */
const resultKey = ',"result":'

/** @throws system errors. */
export async function* readJournal(file: number): AsyncGenerator<JournalPart, void, undefined> {
  for await (const { lines, end } of scanLines(file, true))
    yield { entries: lines.map((line) => decode(file, line)), end }
}

/** The result in a record, which is all of the line but its start and the last `}`. @returns `undefined` for a damaged line. */
export function resultOfRecord(line: string): string | undefined {
  const start = line.indexOf(resultKey)
  if (start === -1 || !line.startsWith(recordStart) || !line.endsWith('}')) return undefined
  const text = line.slice(start + resultKey.length, -1)
  const json = parseStoredJson(text)
  return isObject(json) && json.response !== undefined && json.error !== undefined ? text : undefined
}

function decode(file: number, line: ScannedLine): JournalEntry {
  const { offset, size, start } = line
  const headEnd = start.indexOf(resultKey)
  if (headEnd !== -1) {
    // Found now, its row is sent again. 1,000,000 results of 1 KB take 7 s of CPU.
    const isWhole = size <= constants.MAX_STRING_LENGTH && resultOfRecord(textOf(file, line)) !== undefined
    return isWhole ? recordOf(parseStoredJson(`${start.toString('utf8', 0, headEnd)}}`), offset) : { type: 'invalid' }
  }
  if (size > start.length) return { type: 'invalid' }
  const json = parseStoredJson(start.toString())
  const version = otherVersion(json)
  if (version !== undefined) return { type: 'otherVersion', version }
  const manifest = decodeManifest(json)
  return manifest ? { type: 'manifest', manifest } : endOf(json)
}

function textOf(file: number, { offset, size, start }: ScannedLine): string {
  if (size === start.length) return start.toString()
  const bytes = Buffer.allocUnsafe(size)
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, size, offset))
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
