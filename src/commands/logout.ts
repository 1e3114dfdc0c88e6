import { defineCommand } from '../command.ts'
import { profileOf, withProfile } from '../settings/config-file.ts'
import { changeDocument } from '../settings/change.ts'

export default defineCommand({
  description: 'A stored command that prints the key is removed as well. The base URL is kept.',
  examples: [
    ['Log out', 'syn logout'],
    ['Log out of another account', 'syn logout --profile work'],
    ['Log out without notices, in a script', 'syn logout -q'],
  ],

  async run({ settings, notices, io }) {
    settings.checkProfile()
    const { path, profile } = settings
    const stored = (['api-key', 'key-command'] as const).filter((name) => profileOf(settings.document, profile)?.[name])
    if (stored.length === 0) await notices.info(`no API key is stored for profile ${profile} in ${path}`)
    else {
      await changeDocument(path, (document) =>
        withProfile(document, profile, { 'api-key': undefined, 'key-command': undefined }),
      )
      await notices.info(`removed ${stored.join(' and ')} from profile ${profile} in ${path}`)
    }
    if (io.env.SYN_API_KEY) await notices.info('SYN_API_KEY is still set')
  },
})
