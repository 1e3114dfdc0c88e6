/** Reads a journal from its start to its end. */

import { constants } from 'node:buffer'
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isObject, type Json, type JsonObject, parseStoredJson } from '../../io/json.ts'
import type { Digest } from '../input/source.ts'
import { scanLines, type ScannedLine } from './line-scanner.ts'
import { decodeManifest, type Manifest, otherVersion } from './manifest.ts'

export type JournalEntry =
  | { readonly type: 'manifest'; readonly manifest: Manifest; readonly offset: number }
  | ({ readonly type: 'record' } & JournalRecord)
  | {
      readonly type: 'end'
      readonly end: RunEnd
      readonly inFlight: number
      /** In an identity: of the results. */
      readonly output?: Digest | undefined
    }
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
  /** Of a row that failed as its answer is not whole: its token limit, `Infinity` without one. */
  readonly limit: number | undefined
  readonly isCutOff: boolean
  /** Whether it has what follows the columns of the input in a row of finished results, in place of a reply. */
  readonly isWritten: boolean
  /** In an identity, which has it in place of a reply. */
  readonly place: RowPlace | undefined
}

/** Where a row of finished results is, in bytes: its start, the size of what depends on the input, and of the rest. */
export type RowPlace = readonly [start: number, head: number, tail: number]

/** The line that ends a run. */
export function encodeEnd(end: {
  readonly end: RunEnd
  readonly in_flight: number
  readonly time?: string
  readonly output?: Digest
}): string {
  return `${JSON.stringify(end)}\n`
}

/** How a run ended; without it, the run was killed. */
export type RunEnd = 'complete' | 'stopped' | 'interrupted'

export interface JournalPart {
  readonly entries: readonly JournalEntry[]
  /** Where the last of these lines ends. What follows the last one of all was torn when it was written. */
  readonly end: number
}

const recordStart = '{"sum":"'

/** In bytes: the start of a record, up to and with its checksum. */
const sealSize = sealOf('').length

/** What follows the start of a record. Inside a string the quotes would be escaped. */
const resultKey = ',"result":'

/** A record: its head, and its result as JSON. */
export interface RecordParts {
  readonly head: JsonObject
  readonly result: string
}

/**
 * A record with its line end. The result comes last, so that it can be copied without being parsed; the checksum comes first.
 * @param head Without `result`.
 * @param result As JSON.
 */
export function encodeRecord(head: object, result: string): string {
  const rest = `${JSON.stringify(head).slice(1, -1)}${resultKey}${result}}`
  return `${sealOf(rest)}${rest}\n`
}

/** @param line Without its end. @returns `undefined` for another line, and for a record that its checksum does not match. */
export function decodeRecord(line: Buffer): RecordParts | undefined {
  if (!isRecord(line) || line.length > constants.MAX_STRING_LENGTH) return undefined
  if (line.toString('latin1', 0, sealSize) !== sealOf(line.subarray(sealSize))) return undefined
  const headEnd = line.indexOf(resultKey)
  const head = parseStoredJson(`{${line.toString('utf8', sealSize, headEnd)}}`)
  return isObject(head)
    ? { head, result: line.toString('utf8', headEnd + resultKey.length, line.length - 1) }
    : undefined
}

function sealOf(rest: string | Buffer): string {
  return `${recordStart}${crc32(rest).toString(16).padStart(8, '0')}",`
}

function isRecord(line: Buffer): boolean {
  return line.toString('latin1', 0, recordStart.length) === recordStart
}

/** @throws system errors; the signal's reason if it has aborted. */
export async function* readJournal(file: number, signal?: AbortSignal): AsyncGenerator<JournalPart, void, undefined> {
  for await (const { lines, end } of scanLines(file, true, signal))
    yield { entries: lines.map((line) => decode(file, line)), end }
}

function decode(file: number, line: ScannedLine): JournalEntry {
  const { offset, size, start } = line
  // Damage that is found now means that its row is sent again.
  if (isRecord(start)) return recordOf(decodeRecord(bytesOf(file, line)), offset)
  // An empty line is not parsed: to find that it is no JSON takes 5 µs.
  if (size > start.length || size === 0) return { type: 'invalid' }
  const json = parseStoredJson(start.toString())
  const version = otherVersion(json)
  if (version !== undefined) return { type: 'otherVersion', version }
  const manifest = decodeManifest(json)
  return manifest ? { type: 'manifest', manifest, offset } : endOf(json)
}

function bytesOf(file: number, { offset, size, start }: ScannedLine): Buffer {
  if (size === start.length || size > constants.MAX_STRING_LENGTH) return start
  const bytes = Buffer.allocUnsafe(size)
  return bytes.subarray(0, readSync(file, bytes, 0, size, offset))
}

function recordOf(record: RecordParts | undefined, offset: number): JournalEntry {
  if (typeof record?.head.hash !== 'string') return { type: 'invalid' }
  const { head: json, result } = record
  const usage = isObject(json.usage) ? json.usage : {}
  return {
    type: 'record',
    offset,
    hash: record.head.hash,
    jobs: numberOf(json, 'jobs'),
    promptTokens: numberOf(usage, 'prompt_tokens'),
    completionTokens: numberOf(usage, 'completion_tokens'),
    isFailed: json.failed === true,
    limit: json.limit === null ? Infinity : typeof json.limit === 'number' ? json.limit : undefined,
    isCutOff: json.cut_off === true,
    isWritten: result.startsWith('"'),
    place: result.startsWith('[') ? (parseStoredJson(result) as RowPlace | undefined) : undefined,
  }
}

function endOf(json: Json | undefined): JournalEntry {
  if (!isObject(json) || typeof json.end !== 'string') return { type: 'invalid' }
  const output = isObject(json.output) ? (json.output as unknown as Digest) : undefined
  return { type: 'end', end: json.end as RunEnd, inFlight: numberOf(json, 'in_flight'), output }
}

function numberOf(json: JsonObject, key: string): number {
  const value = json[key]
  return typeof value === 'number' ? value : 0
}
