/** The config file: `{"profile": "work", "profiles": {"work": {"base-url": "…", "api-key": "…"}}}`. */

import { readFileSync } from 'node:fs'
import { UsageError, isSystemError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { isObject, jsonPath, parseJson, type Json, type JsonObject } from '../io/json.ts'
import { decodeText } from '../io/files.ts'
import { checkValueOf, isSettingName, type Setting, type SettingName, table, type Value } from './rows.ts'

/** Keys that nobody here knows are kept: a newer version may have written them. */
export interface Document extends JsonObject {
  profiles: Record<string, JsonObject>
}

/**
 * @returns an empty document when there is no file.
 * @throws UsageError for a file that can't be read or is damaged, naming the place.
 */
export function readDocument(path: string): Document {
  const bytes = readConfigFile(path)
  try {
    return parseDocument(bytes ?? new Uint8Array(), path)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, { hint: 'to repair it: syn config edit' }) : error
  }
}

/**
 * @returns nothing when there is no file.
 * @throws UsageError
 */
export function readConfigFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (!isSystemError(error)) throw error
    // ENOTDIR: services run with a HOME such as /dev/null.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new UsageError(`cannot read ${path}: ${error.message}`)
  }
}

/** @throws UsageError naming line and column, or the JSON path, of the first mistake. */
export function parseDocument(bytes: Uint8Array, path: string): Document {
  const text = decodeText(bytes, path)
  return checkDocument(text.trim() === '' ? {} : parseJson(text, path), path)
}

/** The part of the document that belongs to a profile, when it is there. */
export function profileOf(document: Document, name: string): JsonObject | undefined {
  return Object.hasOwn(document.profiles, name) ? document.profiles[name] : undefined
}

/** Sets values of a profile, or removes those that are undefined; makes the profile when it is not there. */
export function withProfile(
  document: Document,
  name: string,
  changes: Partial<Record<SettingName, Value | undefined>>,
): Document {
  const values = { ...profileOf(document, name), ...changes }
  const section = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject
  return { ...document, profiles: { ...document.profiles, [name]: section } }
}

function checkDocument(value: Json, path: string): Document {
  const document = checkObject(value, path, [])
  const profiles = checkObject(document.profiles ?? {}, path, ['profiles'])
  checkRows(document, path, [], (row) => row.top === true)
  for (const [name, profile] of Object.entries(profiles)) {
    const place = ['profiles', name]
    checkRows(checkObject(profile, path, place), path, place, (row) => row.top !== true)
  }
  return { ...document, profiles: profiles as Record<string, JsonObject> }
}

function checkRows(object: JsonObject, path: string, place: string[], belongs: (row: Setting) => boolean): void {
  for (const [name, value] of Object.entries(object)) {
    if (!isSettingName(name) || !belongs(table[name])) continue
    checkValueOf(table[name], value, `${path}: ${jsonPath([...place, name])}`)
  }
}

function checkObject(value: Json, path: string, place: string[]): JsonObject {
  if (isObject(value)) return value
  // Not quoted: it may be a key that stands in the wrong place.
  throw invalidValue(path, { path: place, found: 'what stands there', expected: 'an object' })
}
