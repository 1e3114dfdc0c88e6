/** Lists and removes the profiles of the config file. */

import { changeDocument } from './change.ts'
import { defaultProfileOf, type Document, noSuchProfile, profileOf } from './config-file.ts'
import { checkSettingValue, settingsTable } from './rows.ts'
import type { Settings } from './settings.ts'

export interface ProfileSummary {
  readonly name: string
  /** Whether this run uses it. */
  readonly current: boolean
  /** Whether runs without --profile and SYN_PROFILE use it. */
  readonly default: boolean
  readonly 'base-url': string | null
  /** The setting that holds the API key. */
  readonly key: 'api-key' | 'key-command' | null
}

/** The stored profiles in the order of the file. The current one need not be among them. */
export function listProfiles({ document, profile, path }: Settings): ProfileSummary[] {
  return Object.entries(document.profiles).map(([name, section]) => {
    const url = section['base-url']
    return {
      name,
      current: name === profile,
      default: name === defaultProfileOf(document),
      'base-url': url === undefined ? null : String(checkSettingValue(settingsTable['base-url'], url, path)),
      key: (['key-command', 'api-key'] as const).find((setting) => section[setting] !== undefined) ?? null,
    }
  })
}

/**
 * Removes the current profile with all its settings.
 * @returns what was done.
 * @throws UsageError if it is not stored.
 */
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

function withoutProfile(document: Document, name: string): Document {
  if (!profileOf(document, name)) throw noSuchProfile(name, document)
  const { [name]: _removed, ...profiles } = document.profiles
  const { profile: defaultName, ...others } = document
  return { ...others, ...(defaultName !== undefined && defaultName !== name && { profile: defaultName }), profiles }
}

function newDefaultNotice(document: Document): string {
  const name = defaultProfileOf(document)
  const names = Object.keys(document.profiles)
  if (names.length === 0) return 'no profile is left; use syn login to create one'
  const text = `the default profile is now ${name}`
  if (names.includes(name)) return text
  return `${text}, which is not stored; use syn config set profile NAME to choose another (available: ${names.join(', ')})`
}
