/** Writes the config file: settings and profiles. */

import { basename, dirname } from 'node:path'
import { advice, syn, UsageError } from '../errors.ts'
import { kindOf } from '../fields/kinds.ts'
import { checkKind } from '../fields/parse.ts'
import { linkDestination } from '../io/files/output.ts'
import type { JsonObject } from '../io/json/json.ts'
import { withLock } from '../io/files/private.ts'
import { checkReader } from '../io/process/readers.ts'
import { originOf } from './base-url.ts'
import {
  type ConfigFile,
  type ConfigDocument,
  noSuchProfile,
  profileOf,
  readConfigFile,
  readConfigDocument,
  withProfile,
} from './config-file.ts'
import type { Settings } from './settings.ts'
import {
  isSettingName,
  parseSettingValue,
  type SettingName,
  settingSpec,
  settingSpecs,
  type AnySettingValue,
} from './setting-specs.ts'

/**
 * Reads, changes and writes the file under a lock, so that concurrent runs keep each other's changes.
 * @throws UsageError for an invalid file, which is left unchanged.
 * @throws FailedError if the file cannot be written.
 */
export async function changeDocument(
  file: ConfigFile,
  change: (document: ConfigDocument) => ConfigDocument,
): Promise<void> {
  // Before its folder is made private: a file that another user can change stays refused.
  readConfigFile(file, 'read')
  const changed = (): string => `${JSON.stringify(change(readConfigDocument(file, 'write')), undefined, 2)}\n`
  await withLock(file.path, () => write(file.path, changed()), file.signal)
}

/** Replaces the file atomically. A symbolic link is kept: conf would replace one whose target does not exist. */
async function write(path: string, text: string): Promise<void> {
  const { default: Conf } = await import('conf')
  const file = await linkDestination(path)
  const conf = new Conf({
    cwd: dirname(file),
    configName: basename(file),
    fileExtension: '',
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    serialize: () => text,
    // conf also reads the file itself, but neither strictly nor with readable errors.
    deserialize: () => ({}),
  })
  conf.store = {}
}

/** Stores a setting in the current profile, or at the top level of the file. @returns what was done. @throws UsageError */
export async function storeSetting(settings: Settings, name: string, text: string | undefined): Promise<string> {
  if (!isSettingName(name)) {
    checkReader(name, text ?? '')
    return storeReader(settings, name, text)
  }
  const spec = settingSpec(name, settings.anyModel)
  if (spec.secret) {
    throw new UsageError(`${name} cannot be given as an argument: other users could read it`, {
      hint: advice`use ${syn('login')} to store it`,
    })
  }
  if (text === undefined) {
    const words = kindOf(spec.field).words?.(spec.field) ?? []
    const value = words.length === 0 ? 'VALUE' : words.join('|')
    throw new UsageError(`no value for ${name}`, { hint: advice`use ${syn(`config set ${name} ${value}`)}` })
  }
  const value = parseSettingValue(spec, text, name)
  await change(settings, name, value)
  return `stored ${name} ${spec.shown?.(String(value)) ?? value} in ${locationOf(settings, name)}`
}

/** @param name As `readers.pdf`. Without a command, it is removed. */
async function storeReader({ file }: Settings, name: string, command?: string): Promise<string> {
  const extension = name.replace('readers.', '')
  await changeDocument(file, ({ readers, ...document }) => {
    const { [extension]: _replaced, ...others } = (readers ?? {}) as JsonObject
    return { ...document, readers: { ...others, ...(command !== undefined && { [extension]: command }) } }
  })
  return `${command === undefined ? `removed ${name} from` : `stored ${name} ${command} in`} ${file.path}`
}

/** Removes a stored setting. @returns what was done. */
export async function removeSetting(settings: Settings, name: string): Promise<string> {
  settings.checkProfile()
  const { document, profile } = settings
  if (!isSettingName(name))
    return settings.readers.has(name) ? storeReader(settings, name) : `${name} is not stored in ${settings.path}`
  if ((name === 'profile' ? document : profileOf(document, profile))?.[name] === undefined) {
    return `${name} is not stored in ${locationOf(settings, name)}`
  }
  await change(settings, name, undefined)
  return `removed ${name} from ${locationOf(settings, name)}`
}

function locationOf({ path, profile }: Settings, name: SettingName): string {
  return name === 'profile' ? path : `profile ${profile} in ${path}`
}

async function change(
  { file, profile }: Settings,
  name: SettingName,
  value: AnySettingValue | undefined,
): Promise<void> {
  await changeDocument(file, (document) => {
    if (name === 'profile') return withDefaultProfile(document, value)
    if (name === 'base-url') checkKeyOrigin(document, profile, value)
    if (name === 'any-model' && value !== true) checkModelNames(document, profile)
    if (name === 'key-command' && value !== undefined) checkNoStoredKey(document, profile)
    return withProfile(document, profile, { [name]: value })
  })
}

function withDefaultProfile(document: ConfigDocument, name: AnySettingValue | undefined): ConfigDocument {
  if (name === undefined) {
    const { profile: _removed, ...others } = document
    return { ...others, profiles: document.profiles }
  }
  if (name === settingSpecs.profile.field.default || profileOf(document, String(name)))
    return { ...document, profile: name }
  throw noSuchProfile(String(name), document)
}

/** A profile has a key or a key command. One never silently replaces the other. */
function checkNoStoredKey(document: ConfigDocument, profile: string): void {
  if (profileOf(document, profile)?.['api-key'] === undefined) return
  throw new UsageError(`profile ${profile} already has an API key; it cannot have a key command too`, {
    hint: advice`use ${syn(`login --profile ${profile} --key-command COMMAND`)} to replace it`,
  })
}

/** A stored name that only `any-model` accepts would make the file invalid. */
function checkModelNames(document: ConfigDocument, profile: string): void {
  const stored = profileOf(document, profile)
  for (const name of ['model', 'embed-model'] as const) {
    const value = stored?.[name]
    if (value === undefined || !checkKind(settingSpecs[name].field, value)) continue
    throw new UsageError(`cannot turn off any-model: ${name} is ${JSON.stringify(value)}`, {
      hint: `use syn config unset ${name} --profile ${profile} first`,
    })
  }
}

/** A stored key is for the base URL it was stored with, and must not be sent to another one. */
function checkKeyOrigin(document: ConfigDocument, profile: string, value: AnySettingValue | undefined): void {
  const stored = profileOf(document, profile)
  if (!stored?.['api-key'] && !stored?.['key-command']) return
  const before = originOf(stored['base-url'])
  if (before === originOf(value)) return
  const owner = before === undefined ? 'was stored without a base URL' : `is for ${before}`
  throw new UsageError(`cannot change base-url: the API key in profile ${profile} ${owner}`, {
    hint: `use syn login --base-url ${value ?? 'URL'} --profile ${profile} to store both`,
  })
}

/** Removes the current profile with all its settings. @returns what was done. @throws UsageError if it is not stored. */
export async function removeProfile({ file, profile }: Settings): Promise<string> {
  await changeDocument(file, (document) => withoutProfile(document, profile))
  return `removed profile ${profile} from ${file.path}`
}

function withoutProfile(document: ConfigDocument, name: string): ConfigDocument {
  if (!profileOf(document, name)) throw noSuchProfile(name, document)
  const { [name]: _removed, ...profiles } = document.profiles
  const { profile: defaultName, ...others } = document
  return { ...others, ...(defaultName !== undefined && defaultName !== name && { profile: defaultName }), profiles }
}
