/** Environment and files, for syn(1). */

import { join } from 'node:path'
import { flagOf } from '../src/fields/field.ts'
import { cacheDirectory, configDirectory } from '../src/settings/directories.ts'
import { table, type Setting } from '../src/settings/table.ts'
import type { Entry } from './program-page.ts'

/** Variables that mean something else than the text of a setting, and those of the system. */
const described: Readonly<Record<string, string>> = {
  NO_COLOR: 'When not empty, no colours.',
  FORCE_COLOR: 'Colours also off a terminal; none when 0 or false.',
  TERM: 'When dumb, no colours.',
  'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY':
    'Proxy to reach the service through, also in lower case. Never used for this machine.',
  NO_PROXY: 'Hosts to reach without a proxy, with commas between them.',
  'VISUAL, EDITOR': 'Editor that opens the settings.',
  BROWSER:
    'Command that opens addresses; several with colons between them, each where the ones before it are not there.',
  FORCE_HYPERLINK: 'Titles as links on any terminal; none when 0.',
  XDG_CONFIG_HOME: 'Folder that holds the folder of the settings.',
  XDG_CACHE_HOME: 'Folder that holds the folder of what is remembered for a while.',
}

export function environment(): Entry[] {
  const settings = Object.values<Setting>(table).flatMap(({ field, option, variables = [] }) =>
    variables
      .filter(({ name }) => described[name] === undefined)
      .map(({ name }) => ({
        name,
        help: option === undefined ? field.help : `${field.help} The same as ${flagOf(option)}.`,
      })),
  )
  return [...settings, ...Object.entries(described).map(([name, help]) => ({ name, help }))]
}

export function files(): Entry[] {
  const home = { env: { HOME: '~' }, platform: 'linux' } as const
  return [
    {
      name: join(configDirectory(home), 'config.json'),
      help: 'Settings and keys by profile; only its owner can read it.',
    },
    { name: cacheDirectory(home), help: 'What the service told and can be asked for again, such as its models.' },
  ]
}
