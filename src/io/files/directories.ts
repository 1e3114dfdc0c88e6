/** The directories for this program's files on each platform: those of env-paths for the name `syn`. */

import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Io } from '../io.ts'

type Environment = Pick<Io, 'env' | 'platform'>

/**
 * The variable that overrides the directory on Unix; where it is on Unix and on macOS, below the home directory; and on Windows,
 * below `%APPDATA%` or `%LOCALAPPDATA%`.
 */
type Location = readonly [variable: string, unix: string, mac: string, base: 'APPDATA' | 'LOCALAPPDATA', folder: string]

const locations = {
  /** For settings. */
  config: ['XDG_CONFIG_HOME', '.config', 'Library/Preferences', 'APPDATA', 'Config'],
  /** For replies that can be fetched again. */
  cache: ['XDG_CACHE_HOME', '.cache', 'Library/Caches', 'LOCALAPPDATA', 'Cache'],
  /** For the user's data, such as conversations. */
  data: ['XDG_DATA_HOME', '.local/share', 'Library/Application Support', 'LOCALAPPDATA', 'Data'],
} as const satisfies Record<string, Location>

export function directoryFor(purpose: keyof typeof locations, { env, platform }: Environment): string {
  const [variable, unix, mac, base, folder] = locations[purpose]
  if (platform === 'win32') {
    const roaming = base === 'APPDATA' ? 'Roaming' : 'Local'
    const data = env[base] || win32.join(env.USERPROFILE || accountHome(), 'AppData', roaming)
    return win32.join(data, 'syn', folder)
  }
  const home = homeDirectory(env)
  if (platform === 'darwin') return posix.join(home, mac, 'syn')
  const named = env[variable] ?? ''
  // The XDG Base Directory Specification requires that relative paths are ignored.
  return posix.join(posix.isAbsolute(named) ? named : posix.join(home, unix), 'syn')
}

/** On Unix. */
export function homeDirectory(env: Environment['env']): string {
  // os.homedir() returns an empty HOME unchanged.
  return env.HOME || accountHome()
}

/** A user ID without an entry in passwd, as in containers, has the HOME of system services: nothing can be written there. */
function accountHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return '/dev/null'
  }
}
