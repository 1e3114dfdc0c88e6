/** The directories for this program's files on each platform: those of env-paths for the name `syn`. */

import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Io } from './io.ts'

type Environment = Pick<Io, 'env' | 'platform'>

interface Location {
  /** The variable that overrides the Unix directory. */
  readonly variable: string
  /** Below the home directory. */
  readonly unix: string
  readonly mac: string
  /** Below `%APPDATA%` or `%LOCALAPPDATA%`. */
  readonly windows: readonly [base: 'APPDATA' | 'LOCALAPPDATA', folder: string]
}

/** For settings. */
export function configDirectory(io: Environment): string {
  const windows = ['APPDATA', 'Config'] as const
  return directory(io, { variable: 'XDG_CONFIG_HOME', unix: '.config', mac: 'Library/Preferences', windows })
}

/** For replies that can be fetched again. */
export function cacheDirectory(io: Environment): string {
  const windows = ['LOCALAPPDATA', 'Cache'] as const
  return directory(io, { variable: 'XDG_CACHE_HOME', unix: '.cache', mac: 'Library/Caches', windows })
}

/** For the user's data, such as conversations. */
export function dataDirectory(io: Environment): string {
  const windows = ['LOCALAPPDATA', 'Data'] as const
  return directory(io, { variable: 'XDG_DATA_HOME', unix: '.local/share', mac: 'Library/Application Support', windows })
}

/** Holds one file per conversation. */
export function conversationsDirectory(io: Environment): string {
  const join = io.platform === 'win32' ? win32.join : posix.join
  return join(dataDirectory(io), 'conversations')
}

/** On Unix. */
export function homeDirectory(env: Environment['env']): string {
  // os.homedir() returns an empty HOME unchanged.
  return env.HOME || userInfo().homedir
}

function directory({ env, platform }: Environment, location: Location): string {
  if (platform === 'win32') {
    const [base, folder] = location.windows
    const roaming = base === 'APPDATA' ? 'Roaming' : 'Local'
    const data = env[base] || win32.join(env.USERPROFILE || userInfo().homedir, 'AppData', roaming)
    return win32.join(data, 'syn', folder)
  }
  const home = homeDirectory(env)
  if (platform === 'darwin') return posix.join(home, location.mac, 'syn')
  const named = env[location.variable] ?? ''
  // The XDG Base Directory Specification requires that relative paths are ignored.
  return posix.join(posix.isAbsolute(named) ? named : posix.join(home, location.unix), 'syn')
}
