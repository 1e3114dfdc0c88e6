/** Changes of the config file: `syn config set`, `unset` and `edit`, and writing it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FailedError, isSystemError, UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { runEditor } from '../io/editor.ts'
import { decodeText } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { makePrivate, withLock } from '../io/private.ts'
import { askConfirmation, canAsk } from '../io/question.ts'
import { originOf } from './base-url.ts'
import { type Document, parseDocument, profileOf, readConfigFile, readDocument, withProfile } from './config-file.ts'
import type { Settings } from './settings.ts'
import { parseValue, type Setting, type SettingName, table, type Value } from './rows.ts'

type Info = (text: string) => Promise<void>

const emptyText = '{\n  "profiles": {}\n}\n'

/**
 * Reads, changes and writes the file while no other run does; what two runs change at the same time is kept of both.
 * @throws UsageError for a damaged file, which stays as it is.
 * @throws FailedError when the file can't be written.
 */
export async function changeDocument(path: string, change: (document: Document) => Document): Promise<void> {
  await withLock(path, async () => {
    await write(path, `${JSON.stringify(change(readDocument(path)), undefined, 2)}\n`)
  })
}

/**
 * Writes the file's whole text.
 * @param before What stood there when the text was made from it.
 * @throws FailedError when something else stands there by now, or the file can't be written.
 */
async function replaceText(path: string, before: Uint8Array | undefined, text: string): Promise<void> {
  await withLock(path, async () => {
    if (Buffer.compare(readConfigFile(path) ?? Buffer.of(), before ?? Buffer.of()) !== 0) {
      throw new FailedError(`${path} was changed by another run meanwhile`)
    }
    await write(path, text)
  })
}

/** conf replaces the file in one step, and the target of a link rather than the link. */
async function write(path: string, text: string): Promise<void> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: dirname(path),
    configName: basename(path, '.json'),
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    serialize: () => text,
    // conf reads the file by itself as well, but neither strictly nor with errors fit to show.
    deserialize: () => ({}),
  })
  conf.store = {}
}

/**
 * Stores a setting in the profile in use, or at the top of the file.
 * @returns what was done.
 * @throws UsageError for a value that the setting doesn't take.
 */
export async function storeSetting(settings: Settings, name: SettingName, text: string | undefined): Promise<string> {
  const row: Setting = table[name]
  if (row.secret) {
    throw new UsageError(`${name} is not taken from an argument, where others can read it`, {
      hint: 'to store it: syn login',
    })
  }
  if (text === undefined) throw new UsageError(`no value for ${name}`, { hint: `syn config set ${name} VALUE` })
  const value = parseValue(row, text, name)
  await change(settings, name, value)
  return `stored ${name} ${value} in ${locationOf(settings, name)}`
}

/**
 * Removes a stored setting.
 * @returns what was done.
 */
export async function removeSetting(settings: Settings, name: SettingName): Promise<string> {
  settings.checkProfile()
  const { document, profile } = settings
  const row: Setting = table[name]
  if ((row.top ? document : profileOf(document, profile))?.[name] === undefined) {
    return `${name} is not stored in ${locationOf(settings, name)}`
  }
  await change(settings, name, undefined)
  return `removed ${name} from ${locationOf(settings, name)}`
}

function locationOf({ path, profile }: Settings, name: SettingName): string {
  return (table[name] as Setting).top ? path : `profile ${profile} in ${path}`
}

async function change({ path, profile }: Settings, name: SettingName, value: Value | undefined): Promise<void> {
  await changeDocument(path, (document) => {
    if (name === 'profile') return withDefaultProfile(document, value)
    if (name === 'base-url') checkKeyStays(document, profile, value)
    if (name === 'key-command' && value !== undefined) checkKeyAbsent(document, profile)
    return withProfile(document, profile, { [name]: value })
  })
}

function withDefaultProfile(document: Document, name: Value | undefined): Document {
  if (name === undefined) {
    const { profile: _removed, ...others } = document
    return { ...others, profiles: document.profiles }
  }
  if (name === table.profile.field.default || profileOf(document, String(name))) return { ...document, profile: name }
  throw new UsageError(
    `there is no profile ${JSON.stringify(name)}${suggestion(name, Object.keys(document.profiles))}`,
    {
      hint: `to store one: syn login --profile ${name}`,
    },
  )
}

/** A profile holds a key or a command for it, and neither is discarded without being asked for. */
function checkKeyAbsent(document: Document, profile: string): void {
  if (profileOf(document, profile)?.['api-key'] === undefined) return
  throw new UsageError(`profile ${profile} holds a key, beside which no key command can stand`, {
    hint: 'to replace it: syn login --key-command COMMAND',
  })
}

/** A stored key is for the address it was stored with: another address must not inherit it. */
function checkKeyStays(document: Document, profile: string, value: Value | undefined): void {
  const stored = profileOf(document, profile)
  if (!stored?.['api-key'] && !stored?.['key-command']) return
  const before = originOf(stored['base-url'])
  if (before === originOf(value)) return
  throw new UsageError(`profile ${profile} holds a key for ${before ?? 'no address'}, which must not go elsewhere`, {
    hint: `store address and key together: syn login --base-url ${value ?? 'URL'} --profile ${profile}`,
  })
}

/**
 * Lets the user edit a copy, and stores it once it is valid. Neither the old file nor what was typed is ever lost.
 * @returns whether anything changed.
 * @throws UsageError for an invalid text, FailedError when the editor fails; the text is kept beside the file.
 */
export async function editDocument(path: string, info: Info, io: Io): Promise<boolean> {
  makePrivate(dirname(path))
  const before = readConfigFile(path)
  // Beside the file rather than among the system's temporary files: it may hold a key.
  const folder = mkdtempSync(join(dirname(path), 'edit-'))
  const copy = join(folder, 'config.json')
  try {
    writeFileSync(copy, before ?? emptyText, { mode: 0o600 })
    return await editCopy(copy, path, before, info, io)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function editCopy(
  copy: string,
  path: string,
  before: Uint8Array | undefined,
  info: Info,
  io: Io,
): Promise<boolean> {
  for (;;) {
    const failure = await runEditor(copy, io)
    const after = readFileSync(copy)
    const isSame = after.equals(before ?? Buffer.from(emptyText))
    try {
      if (failure) throw failure
      io.signal.throwIfAborted()
      if (isSame) return false
      parseDocument(after, path)
      await replaceText(path, before, decodeText(after, path))
      return true
    } catch (error) {
      if (isSame) throw error
      const isDamaged = error instanceof UsageError
      if (isDamaged && canAsk(io) && (await askConfirmation(`${error.message}. Open the editor again?`, io))) continue
      await info(`your text is kept in ${keep(after, path)}`)
      throw error
    }
  }
}

/** Saves a text under the first name that is free. */
function keep(text: Uint8Array, path: string): string {
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
