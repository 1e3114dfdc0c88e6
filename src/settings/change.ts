/** Writes the config file: settings, profiles, and the whole of it in an editor. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defer } from '../io/defer.ts'
import { advice, FailedError, isSystemError, syn, UsageError } from '../errors.ts'
import { kindOf } from '../fields/kinds.ts'
import { checkKind } from '../fields/parse.ts'
import { runEditor } from '../io/process/editor.ts'
import { decodeText } from '../io/files/files.ts'
import type { Io } from '../io/io.ts'
import { linkDestination } from '../io/files/output.ts'
import { makePrivate, withLock } from '../io/files/private.ts'
import { askConfirmation, canAsk } from '../io/process/question.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import type { Secrets } from '../io/secrets.ts'
import { originOf } from './base-url.ts'
import {
  type ConfigFile,
  defaultProfileOf,
  type ConfigDocument,
  noSuchProfile,
  parseDocument,
  profileOf,
  readConfigFile,
  readConfigDocument,
  withProfile,
} from './config-file.ts'
import type { Settings } from './settings.ts'
import {
  parseSettingValue,
  type SettingName,
  settingSpec,
  settingSpecs,
  type AnySettingValue,
} from './setting-specs.ts'

const emptyText = '{\n  "profiles": {}\n}\n'

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

/**
 * Writes the file's whole text.
 * @param before The content that was edited.
 * @throws FailedError if the file has changed since, or cannot be written.
 */
async function replaceText(file: ConfigFile, before: Uint8Array | undefined, text: string): Promise<void> {
  const { path } = file
  await withLock(path, async () => {
    if (Buffer.compare(readConfigFile(file, 'write') ?? Buffer.of(), before ?? Buffer.of()) !== 0) {
      throw new FailedError(`${path} was changed by another program while you were editing`)
    }
    await write(path, text)
  })
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
export async function storeSetting(settings: Settings, name: SettingName, text: string | undefined): Promise<string> {
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

/** Removes a stored setting. @returns what was done. */
export async function removeSetting(settings: Settings, name: SettingName): Promise<string> {
  settings.checkProfile()
  const { document, profile } = settings
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
export async function removeProfile({ file, profile }: Settings): Promise<string[]> {
  let notices: string[] = []
  await changeDocument(file, (document) => {
    const changed = withoutProfile(document, profile)
    const isDefault = profile === defaultProfileOf(document)
    notices = [`removed profile ${profile} from ${file.path}`, ...(isDefault ? [newDefaultNotice(changed)] : [])]
    return changed
  })
  return notices
}

function withoutProfile(document: ConfigDocument, name: string): ConfigDocument {
  if (!profileOf(document, name)) throw noSuchProfile(name, document)
  const { [name]: _removed, ...profiles } = document.profiles
  const { profile: defaultName, ...others } = document
  return { ...others, ...(defaultName !== undefined && defaultName !== name && { profile: defaultName }), profiles }
}

function newDefaultNotice(document: ConfigDocument): string {
  const name = defaultProfileOf(document)
  const names = Object.keys(document.profiles)
  if (names.length === 0) return 'no profile is left; use syn login to create one'
  const text = `the default profile is now ${name}`
  if (names.includes(name)) return text
  return `${text}, which is not stored; use syn config set profile NAME to choose another (available: ${names.join(', ')})`
}

/**
 * Opens an editor on a copy, and stores it once it is valid. Neither the old file nor the edited text is ever lost.
 * @returns whether the file changed.
 * @throws UsageError for an invalid text, FailedError if the editor fails; the text is saved next to the file.
 */
export async function editDocument(
  file: ConfigFile,
  io: Io,
  { notices, secrets }: { readonly notices: { info(text: string): Promise<void> }; readonly secrets: Secrets },
): Promise<boolean> {
  const { path } = file
  readConfigFile(file, 'read')
  makePrivate(dirname(path))
  const before = readConfigFile(file, 'write')
  // Not in the system's temporary folder: it may contain a key.
  const folder = mkdtempSync(join(dirname(path), 'edit-'))
  const copy = join(folder, 'config.json')
  using _folder = defer(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(copy, before ?? emptyText, { mode: 0o600 })
  for (;;) {
    const failure = await runEditor(copy, io)
    const after = readFileSync(copy)
    const isSame = after.equals(before ?? Buffer.from(emptyText))
    try {
      if (failure) throw failure
      io.signal.throwIfAborted()
      if (isSame) return false
      parseDocument(after, path)
      await replaceText(file, before, decodeText(after, path))
      return true
    } catch (error) {
      if (isSame) throw error
      let isAgain = false
      try {
        if (error instanceof UsageError && canAsk(io)) {
          const question = safe`${sanitizeName(secrets.maskNotice(error.message))}. Open the editor again?`
          isAgain = await askConfirmation(question, io)
        }
      } finally {
        // Also after Ctrl-C at the question.
        if (!isAgain) await notices.info(`your text was saved to ${saveRejected(after, path)}`)
      }
      if (!isAgain) throw error
    }
  }
}

/** Saves a text under the first unused name. */
function saveRejected(text: Uint8Array, path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${path}.rejected` : `${path}.rejected-${number}`
    try {
      writeFileSync(name, text, { mode: 0o600, flag: 'wx' })
      return name
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error
    }
  }
}
