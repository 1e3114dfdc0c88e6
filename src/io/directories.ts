/** Where this tool keeps its files, as each platform has it (the places env-paths knows for the name `syn`). */

import { userInfo } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Io } from './io.ts'

type Surroundings = Pick<Io, 'env' | 'platform'>

interface Place {
  /** Below the home directory on Unix, where this variable names no other. */
  readonly variable: string
  readonly unix: string
  readonly mac: string
  /** Below `%APPDATA%` or `%LOCALAPPDATA%`. */
  readonly windows: readonly [base: 'APPDATA' | 'LOCALAPPDATA', folder: string]
}

/** What the user set; worth a backup. */
export function configDirectory(io: Surroundings): string {
  const windows = ['APPDATA', 'Config'] as const
  return directory(io, { variable: 'XDG_CONFIG_HOME', unix: '.config', mac: 'Library/Preferences', windows })
}

/** What can be fetched again. */
export function cacheDirectory(io: Surroundings): string {
  const windows = ['LOCALAPPDATA', 'Cache'] as const
  return directory(io, { variable: 'XDG_CACHE_HOME', unix: '.cache', mac: 'Library/Caches', windows })
}

/** What the user made, such as conversations. */
export function dataDirectory(io: Surroundings): string {
  const windows = ['LOCALAPPDATA', 'Data'] as const
  return directory(io, { variable: 'XDG_DATA_HOME', unix: '.local/share', mac: 'Library/Application Support', windows })
}

/** One file a conversation. */
export function conversationsDirectory(io: Surroundings): string {
  const join = io.platform === 'win32' ? win32.join : posix.join
  return join(dataDirectory(io), 'conversations')
}

function directory({ env, platform }: Surroundings, place: Place): string {
  if (platform === 'win32') {
    const [base, folder] = place.windows
    const roaming = base === 'APPDATA' ? 'Roaming' : 'Local'
    const data = env[base] || win32.join(env.USERPROFILE || userInfo().homedir, 'AppData', roaming)
    return win32.join(data, 'syn', folder)
  }
  // An empty HOME names no place: os.homedir() would take it at its word.
  const home = env.HOME || userInfo().homedir
  if (platform === 'darwin') return posix.join(home, place.mac, 'syn')
  const named = env[place.variable] ?? ''
  // The XDG specification has relative paths ignored.
  return posix.join(posix.isAbsolute(named) ? named : posix.join(home, place.unix), 'syn')
}
