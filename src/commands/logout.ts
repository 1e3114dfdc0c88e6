import { defineCommand } from '../command.ts'
import type { Fields } from '../fields/field.ts'
import { profileOf, withProfile } from '../settings/config-file.ts'
import { changeDocument, removeProfile } from '../settings/change.ts'
import type { Settings } from '../settings/settings.ts'

const logoutOptions = {
  forget: { kind: 'switch', everyday: true, help: 'Remove the profile with all its settings' },
} as const satisfies Fields

export default defineCommand({
  description:
    'A stored command that prints the key is removed as well. The base URL and other settings are kept, unless --forget ' +
    'removes the whole profile.',
  options: logoutOptions,
  examples: [
    ['Log out', 'syn logout'],
    ['Log out of another account', 'syn logout --profile work'],
    ['Remove the profile of an account', 'syn logout --profile work --forget'],
    ['Log out without notices, in a script', 'syn logout -q'],
  ],

  async run({ options, settings, notices, io }) {
    settings.checkMayChange()
    settings.checkProfile()
    await notices.info(await (options.forget ? removeProfile(settings) : removeKey(settings)))
    if (io.env.SYN_API_KEY) await notices.info('SYN_API_KEY is still set')
    if (options.forget && io.env.SYN_PROFILE === settings.profile) {
      await notices.info(`SYN_PROFILE is still set to ${settings.profile}`)
    }
  },
})

/** @returns what was done. */
async function removeKey({ document, file, path, profile }: Settings): Promise<string> {
  const stored = (['api-key', 'key-command'] as const).filter((name) => profileOf(document, profile)?.[name])
  if (stored.length === 0) return `no API key is stored for profile ${profile} in ${path}`
  await changeDocument(file, (current) =>
    withProfile(current, profile, { 'api-key': undefined, 'key-command': undefined }),
  )
  return `removed ${stored.join(' and ')} from profile ${profile} in ${path}`
}
