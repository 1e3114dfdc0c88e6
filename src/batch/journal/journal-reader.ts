/** The records of a journal, and what all of it contains. */

import { constants } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { UsageError } from '../../errors.ts'
import { isObject, type JsonObject, parseStoredJson } from '../../io/json/json.ts'
import { readStart } from '../../io/files/regular-file.ts'
import { addUsage, decodeUsage, type Usage } from '../../stream/delta.ts'
import type { Digest } from '../input/source.ts'
import { journalStart } from './files.ts'
import { scanLines } from './line-reader.ts'
import { decodeManifest, type Manifest } from './manifest.ts'

/** What a journal or an identity contains. */
export interface JournalSummary extends Readonly<Omit<Counts, 'add'>> {
  /** Of the last run. */
  readonly manifest: Manifest
}

class Counts {
  /** What the run was told to replace. */
  replaces: Digest | undefined
  /** Recorded answers. */
  succeeded = 0
  /** Failed rows of the last run, which asked those of earlier runs again. */
  failed = 0
  promptTokens = 0
  completionTokens = 0
  /** By the model that rows name themselves; '' for that of the run. */
  usages = new Map<string, Usage>()
  /** Where the last run starts, in bytes. */
  start = 0
  /** Whether any rows failed whose answers are not whole. */
  hasParts = false
  /** How the last run ended; `undefined` if it was killed, or is running. */
  end: RunEnd | undefined
  /** The most requests whose replies the last run sent for and did not record. */
  inFlight = 0
  /** Whether any answers were read from finished results: they are text that follows the columns of the input. */
  hasWritten = false
  /** In an identity: of the results. */
  output: Digest | undefined
  /** Damaged lines. */
  invalid = 0
  /** The end of the last whole line, in bytes. What follows was torn when it was written. */
  size = 0

  add({ head, result }: JournalRecord): void {
    const usage = decodeUsage(head.usage)
    const model = typeof head.requested === 'string' ? head.requested : ''
    if (usage) this.usages.set(model, addUsage(usage, this.usages.get(model) ?? {}))
    this[head.failed === true ? 'failed' : 'succeeded'] += 1
    this.hasWritten ||= result.startsWith('"')
    this.hasParts ||= partLimit(head) !== undefined
    this.promptTokens += usage?.promptTokens ?? 0
    this.completionTokens += usage?.completionTokens ?? 0
    this.inFlight = numberOf(head, 'jobs')
  }
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

const recordStart = '{"sum":"'

/** In bytes, and of the line that ends a run. */
const maxManifestSize = 65_536

/** In bytes: the start of a record, up to and with its checksum. */
const sealSize = sealOf('').length

/** What follows the start of a record. Inside a string the quotes would be escaped. */
const resultKey = ',"result":'

/** The result of a row. */
export interface JournalRecord {
  /** Of the request. */
  readonly hash: string
  readonly head: JsonObject
  /** As JSON. In an identity, where the row is; in a journal of finished results, what follows the columns of the input. */
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
export function decodeRecord(line: Buffer): JournalRecord | undefined {
  if (!isRecord(line) || line.length > constants.MAX_STRING_LENGTH) return undefined
  if (line.toString('latin1', 0, sealSize) !== sealOf(line.subarray(sealSize))) return undefined
  const headEnd = line.indexOf(resultKey)
  const head = parseStoredJson(`{${line.toString('utf8', sealSize, headEnd)}}`)
  if (!isObject(head) || typeof head.hash !== 'string') return undefined
  return { hash: head.hash, head, result: line.toString('utf8', headEnd + resultKey.length, line.length - 1) }
}

function sealOf(rest: string | Buffer): string {
  return `${recordStart}${crc32(rest).toString(16).padStart(8, '0')}",`
}

function isRecord(line: Buffer): boolean {
  return line.toString('latin1', 0, recordStart.length) === recordStart
}

/**
 * The first line of a journal, which is a manifest. One that was torn in it has no results.
 * @returns `undefined` without a journal that can be continued.
 * @throws UsageError for a file that is not a journal; FailedError when it cannot be read.
 */
export function firstLine(path: string): string | undefined {
  const text = readStart(path, maxManifestSize)
  if (text === undefined) return undefined
  const end = text.indexOf('\n')
  if (end !== -1 && text.startsWith(journalStart)) return text.slice(0, end)
  if (journalStart.startsWith(text.slice(0, journalStart.length))) return undefined
  throw new UsageError(`${path} is not a journal of syn batch`, { hint: 'move it, or choose another --output' })
}

/**
 * Reads a journal from its start to its end.
 * @param options `onRecord` is called with each record, and where it starts in bytes.
 * @throws UsageError for a file without a manifest that this version can read; system errors; the signal's reason.
 */
export async function summarize(
  file: number,
  path: string,
  {
    onRecord,
    signal,
  }: { onRecord?: (record: JournalRecord, offset: number) => void; signal?: AbortSignal | undefined } = {},
): Promise<JournalSummary> {
  const counts = new Counts()
  let manifest: Manifest | undefined
  for await (const { lines, end } of scanLines(file, true, signal)) {
    counts.size = end
    for (const { bytes, offset } of lines) {
      // Damage that is found now means that its row is sent again.
      const record = decodeRecord(bytes)
      if (record) {
        counts.add(record)
        onRecord?.(record, offset)
        continue
      }
      // Manifests are short, and to find that an empty line is no JSON takes 5 µs.
      const isOther = isRecord(bytes) || bytes.length > maxManifestSize || bytes.length === 0
      const json = isOther ? undefined : parseStoredJson(bytes.toString())
      const started = decodeManifest(json)
      if (started) {
        manifest = started
        counts.replaces ??= manifest.replaces
        Object.assign(counts, { start: offset, end: undefined, inFlight: manifest.jobs, failed: 0 })
      } else if (isObject(json) && typeof json.end === 'string') {
        counts.end = json.end as RunEnd
        counts.output = isObject(json.output) ? (json.output as unknown as Digest) : undefined
        counts.inFlight = numberOf(json, 'in_flight')
      } else counts.invalid += 1
    }
  }
  if (manifest) return Object.assign(counts, { manifest })
  throw new UsageError(`${path} has no manifest of this version of syn`, { hint: 'use --restart to start again' })
}

/**
 * Of a row that failed as its answer is not whole: its token limit, `Infinity` without one.
 * @returns `undefined` for another row.
 */
export function partLimit({ limit }: JsonObject): number | undefined {
  return limit === null ? Infinity : typeof limit === 'number' ? limit : undefined
}

function numberOf(json: JsonObject, key: string): number {
  const value = json[key]
  return typeof value === 'number' ? value : 0
}
