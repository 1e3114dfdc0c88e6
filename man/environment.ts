/** The environment variables that the program reads and the files that it writes, by name. */

import { join } from 'node:path'
import { flagOf } from '../src/fields/field.ts'
import { promptsFolder } from '../src/fields/prompt-file.ts'
import { conversationsDirectory } from '../src/conversation/folder.ts'
import { directoryFor } from '../src/io/files/directories.ts'
import { settingSpecs, type Setting } from '../src/settings/setting-specs.ts'
import { toolsPath } from '../src/tools/tools-file.ts'
import { historyPath } from '../src/terminal/line-editor/history.ts'

const home = { env: { HOME: '~' }, platform: 'linux' } as const

export const conversationsFolder = conversationsDirectory(home)

export const promptsDirectory = promptsFolder(home)

export const toolsFilePath = toolsPath(home)

/** Variables of the system, and those that hold more than the value of a setting. */
const described: Readonly<Record<string, string>> = {
  NO_COLOR: 'If set, disable color.',
  FORCE_COLOR:
    'Use color even if the output is not a terminal: 16 colors if 1, 256 if 2, all if 3. 0 or false disables color.',
  'TERM, COLORTERM':
    'The colors that the terminal supports. TERM=dumb turns off color, the spinner and the layout of Markdown.',
  COLORFGBG: 'Foreground and background color, as some terminals set it. The theme auto follows it.',
  'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY':
    'Proxy to reach the service through; lower case works too. Never used for this machine itself.',
  NO_PROXY:
    'Comma-separated hosts and subnets such as 10.0.0.0/8 to reach without a proxy, or * for all; lower case works too.',
  SSL_CERT_FILE: 'PEM file with the certificates to trust, in place of the built-in ones.',
  NODE_EXTRA_CA_CERTS: 'PEM file with more certificates to trust.',
  NODE_OPTIONS: 'Options of Node, which runs syn. The single file ignores it.',
  'VISUAL, EDITOR': 'Editor for Ctrl-G and /edit in the chat (default: vi).',
  'TMUX, WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME':
    'Whether /copy in the chat uses tmux, wl-copy, or xclip and xsel, and what reads images from the clipboard: wl-paste, xclip or, in WSL, powershell.exe. No program that syn starts for you, such as these or the editor, gets a variable whose name begins with SYN_.',
  'SSH_CONNECTION, SSH_TTY': 'If set, /copy does not use the display.',
  PATH: 'Directories in which programs are searched for.',
  XDG_CONFIG_HOME: 'Directory for settings, prompts and tools, and for the completion of fish (default: ~/.config).',
  XDG_CACHE_HOME: 'Directory for the cache (default: ~/.cache).',
  XDG_DATA_HOME: 'Directory for conversations (default: ~/.local/share).',
  'HOME, USERPROFILE': 'Home directory, on Unix and on Windows.',
  COMSPEC: 'On Windows, the shell that runs batch files (default: cmd.exe).',
}

export function environment(): Record<string, string> {
  const settings = Object.values<Setting>(settingSpecs).flatMap(({ field, option, variables = [] }) =>
    variables
      .filter(({ name }) => described[name] === undefined)
      .map(({ name }) => [name, option === undefined ? `${field.help}.` : `${field.help}, like ${flagOf(option)}.`]),
  )
  return { ...Object.fromEntries(settings), ...described }
}

const settingsFile = join(directoryFor('config', home), 'config.json')

export const files: Readonly<Record<string, string>> = {
  [settingsFile]: 'Settings and API keys, by profile.',
  [join(directoryFor('cache', home), '*.json')]:
    'Cached replies, such as the list of models. It is safe to delete them.',
  [join(directoryFor('cache', home), 'embeddings', '*')]:
    'Embeddings of syn similar and syn embed --cache, without their texts. syn similar --forget removes them.',
  [historyPath(home)]: 'Messages sent in the chat, for Up and Ctrl-R: the last 1000.',
  [join(conversationsFolder, '*')]: 'Conversations, and an index of them. See syn-sessions(1).',
}
