/** `syn config set` and `unset`. */

import { UsageError } from '../errors.ts'
import { suggestion } from '../fields/nearest.ts'
import { originOf } from './base-url.ts'
import { profileOf, withProfile, type Document } from './document.ts'
import type { Settings } from './settings.ts'
import { changeDocument } from './store.ts'
import { table, type Setting, type SettingName } from './table.ts'
import { parseValue, type Value } from './value.ts'

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
  return `stored ${name} ${value} in ${placeOf(settings, name)}`
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
    return `${name} is not stored in ${placeOf(settings, name)}`
  }
  await change(settings, name, undefined)
  return `removed ${name} from ${placeOf(settings, name)}`
}

function placeOf({ path, profile }: Settings, name: SettingName): string {
  return (table[name] as Setting).top ? path : `profile ${profile} in ${path}`
}

async function change({ path, profile }: Settings, name: SettingName, value: Value | undefined): Promise<void> {
  await changeDocument(path, (document) => {
    if (name === 'profile') return withUsualProfile(document, value)
    if (name === 'base-url') checkKeyStays(document, profile, value)
    if (name === 'key-command' && value !== undefined) checkKeyAbsent(document, profile)
    return withProfile(document, profile, { [name]: value })
  })
}

function withUsualProfile(document: Document, name: Value | undefined): Document {
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

/** A key and a command for it exclude each other, and neither is thrown away unasked. */
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
