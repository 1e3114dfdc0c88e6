/** The config file: `{"profile": "work", "profiles": {"work": {"base-url": "…", "api-key": "…"}}}`. */

import { isSystemError, reasonOf, UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { isObject, jsonPath, parseJson, type Json, type JsonObject } from '../io/json.ts'
import { decodeText } from '../io/files.ts'
import { readOwnFile } from '../io/private.ts'
import {
  checkSettingValue,
  isSettingName,
  type Setting,
  type SettingName,
  settingRow,
  settingsTable,
  type AnySettingValue,
} from './rows.ts'

/** Unknown keys are kept: a newer version may have written them. */
export interface Document extends JsonObject {
  profiles: Record<string, JsonObject>
}

/**
 * @returns an empty document if there is no file.
 * @throws UsageError for a file that cannot be read or is invalid, naming the line or JSON path.
 */
export function readDocument(path: string): Document {
  const bytes = readConfigFile(path)
  try {
    return parseDocument(bytes ?? new Uint8Array(), path)
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(error.message, { hint: 'use syn config edit to repair it' })
      : error
  }
}

/**
 * @returns `undefined` if there is no file.
 * @throws UsageError
 */
export function readConfigFile(path: string): Uint8Array | undefined {
  try {
    return readOwnFile(path)
  } catch (error) {
    // ENOTDIR: services run with a HOME such as /dev/null.
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** @throws UsageError naming line and column, or the JSON path, of the first error. */
export function parseDocument(bytes: Uint8Array, path: string): Document {
  const text = decodeText(bytes, path)
  return checkDocument(text.trim() === '' ? {} : parseJson(text, path), path)
}

/** A profile's section of the document, if it exists. */
export function profileOf(document: Document, name: string): JsonObject | undefined {
  return Object.hasOwn(document.profiles, name) ? document.profiles[name] : undefined
}

/** Sets values of a profile, and removes those that are undefined. Creates the profile if needed. */
export function withProfile(
  document: Document,
  name: string,
  changes: Partial<Record<SettingName, AnySettingValue | undefined>>,
): Document {
  const values = { ...profileOf(document, name), ...changes }
  const section = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject
  return { ...document, profiles: { ...document.profiles, [name]: section } }
}

function checkDocument(value: Json, path: string): Document {
  const document = checkObject(value, path, [])
  const profiles = checkObject(document.profiles ?? {}, path, ['profiles'])
  checkSettings(document, path, [], (row) => row.topLevel === true)
  for (const [name, profile] of Object.entries(profiles)) {
    const location = ['profiles', name]
    checkSettings(checkObject(profile, path, location), path, location, (row) => row.topLevel !== true)
  }
  return { ...document, profiles: profiles as Record<string, JsonObject> }
}

function checkSettings(object: JsonObject, path: string, location: string[], belongs: (row: Setting) => boolean): void {
  for (const [name, value] of Object.entries(object)) {
    if (!isSettingName(name) || !belongs(settingsTable[name])) continue
    checkSettingValue(
      settingRow(name, object['any-model'] === true),
      value,
      `${path}: ${jsonPath([...location, name])}`,
    )
  }
}

function checkObject(value: Json, path: string, location: string[]): JsonObject {
  if (isObject(value)) return value
  // Not quoted: it may be a key in the wrong place.
  throw invalidValue(path, { path: location, found: 'the value', expected: 'an object' })
}
