/**
 * The lines of a store. Each is sealed by a checksum. There are records of results, and lines that start a run, end it, or have
 * the size and hash of the results that it wrote.
 */

import { constants } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Consequence, consequences, type ProblemCode } from '../../answer/outcome.ts'
import { isObject, type JsonObject } from '../../io/json/json.ts'
import { parseStoredJson } from '../../io/json/parse.ts'

/** What follows the head of a record. Inside a string the quotes would be escaped. */
const resultKey = ',"result":'

const recordStart = '"hash":"'

/** In bytes, up to and with the checksum. */
const sealSize = sealOf('').length

/**
 * A line with its end. The result comes last, so that it can be copied without being parsed; the checksum comes first.
 * @param head Of a record, `hash` comes first.
 */
export function encodeLine(head: object, result?: string): string {
  const text = JSON.stringify(head).slice(1, -1)
  const rest = `${text}${result === undefined ? '' : resultKey + result}}`
  return `${sealOf(rest)}${rest}\n`
}

export type StoreLine = NonNullable<ReturnType<typeof decodeLine>>

/**
 * @param line Without its end.
 * @returns also the result of a record, as JSON, empty in other lines; `undefined` for a line that its checksum does not match.
 */
export function decodeLine(line: Buffer) {
  if (line.length > constants.MAX_STRING_LENGTH) return undefined
  if (line.toString('latin1', 0, sealSize) !== sealOf(line.subarray(sealSize))) return undefined
  const isRecord = line.toString('latin1', sealSize, sealSize + recordStart.length) === recordStart
  const headEnd = isRecord ? line.indexOf(resultKey) : line.length - 1
  const head = parseStoredJson(`{${line.toString('utf8', sealSize, headEnd)}}`)
  if (!isObject(head)) return undefined
  return { head, result: line.toString('utf8', headEnd + resultKey.length, line.length - 1) }
}

/** The token limit of an answer that is not whole, `Infinity` without one; `undefined` for another record. */
export function limitOfPart({ limit }: JsonObject): number | undefined {
  return limit === null ? Infinity : typeof limit === 'number' ? limit : undefined
}

/** With what a row is sent again whose answer is not whole. Stores of older versions have no code. */
export function rowNeeds({ part, cut_off: isCutOff }: JsonObject): Consequence['rowNeeds'] {
  const code = part ?? (isCutOff === true ? 'token_limit' : 'empty')
  return consequences[code as ProblemCode]?.rowNeeds
}

function sealOf(rest: string | Buffer): string {
  return `{"sum":"${crc32(rest).toString(16).padStart(8, '0')}",`
}

/** What all requests of a run have in common: hashes, by names in messages such as `the template` and `temperature`. */
export type RunSettings = Readonly<Record<string, string>>

export interface RunRecord {
  /** The version of syn. */
  readonly syn: string
  /** In ISO 8601. */
  readonly started: string
  readonly settings: RunSettings
  readonly base_url: string
  /** The model of the run, and which one it stood for. */
  readonly model: { readonly requested: string; readonly stands_for: string }
  /** How many requests are sent at once before the first record says it. */
  readonly jobs: number
  /** The number of damaged lines that were named before. */
  readonly damaged: number
  /** With `--restart`: so many bytes before it are of the same store, whose answers with these settings no longer count. */
  readonly restart?: number | undefined
}

/** The version of the format. */
const storeVersion = 1

export function encodeRun(run: RunRecord): object {
  return { run: { store: storeVersion, ...run } }
}

/** @returns `undefined` for another line, and for a run of another version of the format. */
export function decodeRun({ run }: JsonObject): RunRecord | undefined {
  return isObject(run) && run.store === storeVersion ? (run as unknown as RunRecord) : undefined
}

export const modelSetting = 'the model'

/** The hashes of the models of a run. */
export function modelsOf(settings: RunSettings): string[] {
  return settings[modelSetting]?.split(',') ?? []
}

/** The names of settings that differ: not the models if one is the same, and others were added or left out. */
export function changedSettings(former: RunSettings, now: RunSettings): string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(former)])
  if (modelsOf(now).some((model) => modelsOf(former).includes(model))) names.delete(modelSetting)
  return [...names].filter((name) => former[name] !== now[name])
}
