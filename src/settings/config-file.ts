/** The config file: `{"profile": "work", "profiles": {"work": {"base-url": "…"}}, "readers": {"pdf": "pdftotext {} -"}}`. */

import { readFileSync } from 'node:fs'
import { advice, isSystemError, reasonOf, syn, UsageError } from '../errors.ts'
import { closest, didYouMean, suggestion } from '../fields/suggestion.ts'
import { invalidValue } from '../fields/problem.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { parseJson } from '../io/json/parse.ts'
import { jsonPath } from '../io/json/print.ts'
import { decodeText } from '../io/files/files.ts'
import { checkWriters, type Owner, withOwnFile } from '../io/files/private.ts'
import { checkReader } from '../io/process/readers.ts'
import {
  checkSettingValue,
  isSettingName,
  settingNames,
  type SettingName,
  settingSpec,
  settingSpecs,
  type AnySettingValue,
} from './setting-specs.ts'

/** Unknown keys are kept: a newer version may have written them. */
export interface ConfigDocument extends JsonObject {
  profiles: Record<string, JsonObject>
}

export interface ConfigFile {
  /** Whether or not it exists. */
  readonly path: string
  readonly owner: Owner
  /** Ends the wait for another run that changes it. */
  readonly signal?: AbortSignal
}

/** What a file is read for. One that is going to be written must be fit for that also if it does not exist yet. */
export type Purpose = 'read' | 'write'

/** Empty without a file. @throws UsageError as `readConfigFile`, and for an invalid file, naming the line or JSON path. */
export function readConfigDocument(file: ConfigFile, purpose: Purpose): ConfigDocument {
  const bytes = readConfigFile(file, purpose)
  try {
    return parseDocument(bytes ?? new Uint8Array(), file.path)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, { hint: 'correct it in an editor' }) : error
  }
}

/**
 * The only way to the file's content. A user who can write it can run commands as this one, by `key-command`, and get the key,
 * by `base-url`.
 * @returns `undefined` if there is no file.
 * @throws UsageError for a file that cannot be read, with the system's error as its cause, or that another user can change.
 */
export function readConfigFile({ path, owner }: ConfigFile, purpose: Purpose): Uint8Array | undefined {
  try {
    return withOwnFile(path, (descriptor, stats) => {
      checkWriters(path, owner, purpose, stats)
      return readFileSync(descriptor)
    })
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (!isSystemError(error) || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR'))
      throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`, { cause: error })
    // ENOTDIR: services run with a HOME such as /dev/null.
    if (purpose === 'write') checkWriters(path, owner, purpose)
    return undefined
  }
}

/** @throws UsageError naming line and column, or the JSON path, of the first error. */
export function parseDocument(bytes: Uint8Array, path: string): ConfigDocument {
  const text = decodeText(bytes, path)
  return checkDocument(text.trim() === '' ? {} : parseJson(text, path), path)
}

export function profileOf(document: ConfigDocument, name: string): JsonObject | undefined {
  return Object.hasOwn(document.profiles, name) ? document.profiles[name] : undefined
}

/** The profile of runs without `--profile` and SYN_PROFILE. */
export function defaultProfileOf({ profile = settingSpecs.profile.field.default }: ConfigDocument): string {
  return profile as string
}

export function noSuchProfile(name: string, document: ConfigDocument): UsageError {
  const names = Object.keys(document.profiles)
  const available = names.length === 0 ? 'no profile is stored' : `available: ${names.join(', ')}`
  return new UsageError(`no profile named ${JSON.stringify(name)}${suggestion(name, names)}`, {
    hint: advice`${available}. Use ${syn(`login --profile ${name}`)} to create it`,
  })
}

/** Sets values of a profile, and removes those that are undefined. Creates the profile if needed. */
export function withProfile(
  document: ConfigDocument,
  name: string,
  changes: Partial<Record<SettingName, AnySettingValue | undefined>>,
): ConfigDocument {
  const values = { ...profileOf(document, name), ...changes }
  const section = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject
  return { ...document, profiles: { ...document.profiles, [name]: section } }
}

/** Says of each key that it is unknown, with the nearest known one. Those of JSON editors, such as `$schema`, are left out. */
export function unknownKeys(document: ConfigDocument, path: string): string[] {
  const settings: readonly string[] = settingNames.filter((name) => name !== 'profile')
  const find = (object: JsonObject, known: readonly string[], location: string[]): string[] => {
    const unknown = Object.keys(object).filter((key) => !known.includes(key) && !key.startsWith('$'))
    return unknown.map((key) => {
      const meant = closest(key, known) ?? closest(key, settings)
      const place = known.includes(meant ?? '') ? location : ['profiles', defaultProfileOf(document)]
      return `${path}: unknown key ${jsonPath([...location, key])}${didYouMean(meant && jsonPath([...place, meant]))}`
    })
  }
  const sections = Object.entries(document.profiles)
  const inSections = sections.flatMap(([name, section]) => find(section, settings, ['profiles', name]))
  return [...find(document, ['profile', 'profiles', 'readers'], []), ...inSections]
}

function checkDocument(value: Json, path: string): ConfigDocument {
  const document = checkObject(value, path, [])
  const profiles = checkObject(document.profiles ?? {}, path, ['profiles'])
  if (document.profile !== undefined)
    checkSettingValue(settingSpecs.profile, document.profile, `${path}: ${jsonPath(['profile'])}`)
  for (const [name, profile] of Object.entries(profiles)) {
    const section = checkObject(profile, path, ['profiles', name])
    for (const [setting, value] of Object.entries(section)) {
      if (!isSettingName(setting) || setting === 'profile') continue
      const spec = settingSpec(setting, section['any-model'] === true)
      checkSettingValue(spec, value, `${path}: ${jsonPath(['profiles', name, setting])}`)
    }
  }
  for (const [extension, command] of Object.entries(checkObject(document.readers ?? {}, path, ['readers'])))
    checkReader(`readers.${extension}`, command, `${path}: ${jsonPath(['readers', extension])}`)
  return { ...document, profiles: profiles as Record<string, JsonObject> }
}

function checkObject(value: Json, path: string, location: string[]): JsonObject {
  if (isObject(value)) return value
  // The value is not quoted: a key may be in the wrong place.
  throw invalidValue(path, { path: location, found: 'the value', expected: 'an object' })
}
