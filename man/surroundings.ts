/** Environment and files, for syn(1). */

import { join } from 'node:path'
import { flagOf } from '../src/fields/field.ts'
import { cacheDirectory, configDirectory, conversationsDirectory } from '../src/io/directories.ts'
import { table, type Setting } from '../src/settings/rows.ts'
import type { Entry } from './program-page.ts'

const home = { env: { HOME: '~' }, platform: 'linux' } as const

export const conversationsFolder = conversationsDirectory(home)

/** Variables that mean something else than the text of a setting, and those of the system. */
const described: Readonly<Record<string, string>> = {
  NO_COLOR: 'No colours.',
  FORCE_COLOR: 'Colours also off a terminal: 16 when 1, 256 when 2, all when 3; none when 0 or false.',
  'TERM, COLORTERM':
    'How many colours the terminal has. When TERM is dumb, none, nothing moves, and Markdown stays as it is.',
  COLORFGBG: 'Colours of text and background, as terminals set it; by it the theme auto chooses.',
  'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY':
    'Proxy to reach the service through, also in lower case. Never used for this machine.',
  NO_PROXY: 'Hosts to reach without a proxy, with commas between them; * stands for all. Also in lower case.',
  'VISUAL, EDITOR': 'Editor for syn config edit and in the chat; vi when neither is set.',
  BROWSER:
    'Command that opens addresses; several with colons between them, each where the ones before it are not there.',
  FORCE_HYPERLINK: 'Links to click on any terminal; none when 0. Else on those that tell that they know links.',
  SHELL: 'What syn completion guesses by when it is not told for which shell.',
  XDG_CONFIG_HOME: 'Folder that holds the folder of the settings.',
  XDG_CACHE_HOME: 'Folder that holds the folder of what can be fetched again.',
  XDG_DATA_HOME: 'Folder that holds the folder of the conversations.',
  'HOME, USERPROFILE': 'Home on Unix and on Windows, below which all lie where the three above name no folder.',
}

export function environment(): Entry[] {
  const settings = Object.values<Setting>(table).flatMap(({ field, option, variables = [] }) =>
    variables
      .filter(({ name }) => described[name] === undefined)
      .map(({ name }) => ({
        name,
        help: option === undefined ? `${field.help}.` : `${field.help}, like ${flagOf(option)}.`,
      })),
  )
  return [...settings, ...Object.entries(described).map(([name, help]) => ({ name, help }))]
}

export function files(): Entry[] {
  const settings = join(configDirectory(home), 'config.json')
  return [
    { name: settings, help: 'Settings and keys by profile; only its owner can read it.' },
    { name: `${settings}.rejected`, help: 'What was written in syn config edit and could not be stored.' },
    {
      name: join(cacheDirectory(home), '*.json'),
      help: 'What services told that need not be asked each time, such as their models. It may be deleted.',
    },
    {
      name: join(conversationsFolder, '*.jsonl'),
      help: 'Conversations that were kept; only their owner can read them. See syn-sessions(1).',
    },
  ]
}
