/**
 * The lines of a store. Each is sealed by a checksum. There are records of results, and lines that start a run, end it, have
 * the size and hash of the results that it wrote, or what records cost that are no longer there.
 */

import { constants } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { isObject, type JsonObject, parseStoredJson } from '../../io/json/json.ts'

export interface StoreLine {
  readonly head: JsonObject
  /** The result of a record, as JSON; empty in other lines. */
  readonly result: string
}

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

/** @param line Without its end. @returns `undefined` for a line that its checksum does not match. */
export function decodeLine(line: Buffer): StoreLine | undefined {
  if (line.length > constants.MAX_STRING_LENGTH) return undefined
  if (line.toString('latin1', 0, sealSize) !== sealOf(line.subarray(sealSize))) return undefined
  const isRecord = line.toString('latin1', sealSize, sealSize + recordStart.length) === recordStart
  const headEnd = isRecord ? line.indexOf(resultKey) : line.length - 1
  const head = parseStoredJson(`{${line.toString('utf8', sealSize, headEnd)}}`)
  if (!isObject(head)) return undefined
  return { head, result: line.toString('utf8', headEnd + resultKey.length, line.length - 1) }
}

/**
 * The token limit of an answer that is not whole, `Infinity` without one.
 * @returns `undefined` for another record.
 */
export function limitOfPart({ limit }: JsonObject): number | undefined {
  return limit === null ? Infinity : typeof limit === 'number' ? limit : undefined
}

function sealOf(rest: string | Buffer): string {
  return `{"sum":"${crc32(rest).toString(16).padStart(8, '0')}",`
}
