/** The files below a folder, without what .gitignore excludes; git is not run. */

import { access, constants, opendir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { FailedError } from '../../errors.ts'
import { sanitizeName } from '../text/safe-text.ts'
import { isIgnored, type IgnoreRules, readIgnoreRules } from './gitignore.ts'
import { statsOf } from './stats.ts'

export interface FolderOptions {
  /** Stops the reading; no error is thrown then. */
  readonly signal: AbortSignal
  /** Whether a folder is read although a .gitignore above excludes it. */
  readonly isNamed?: boolean
  /** Called for each folder in it that cannot be read, or whose .gitignore is too large or takes too long, which is named. */
  readonly onUnreadable?: (path: string) => void
}

/** Names of keys are not offered, nor any that cannot be typed: control characters, or no valid UTF-8. */
export function isOffered(path: string): boolean {
  const isKey = /(^|\/)id_[^/]*$|\.(pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx?|gpg)$/i.test(path)
  return !isKey && sanitizeName(path) === path && !path.includes('\ufffd')
}

/** Paths such as `a.md` and `b/c.md`, breadth first. The event loop turns meanwhile. @throws system errors for the folder itself. */
export async function* filesBelow(named: string, options: FolderOptions): AsyncGenerator<string, void, undefined> {
  const root = await realpath(named)
  const top = repositoryOf(root) ?? root
  const start = top === root ? '' : `${relative(top, root).replaceAll('\\', '/')}/`
  const rulesIn = (folder: string, outer: IgnoreRules | undefined): IgnoreRules | undefined =>
    readIgnoreRules(join(top, folder, '.gitignore'), folder, outer)
  let rules: IgnoreRules | undefined
  let isLeftOut = false
  for (const { index } of start.matchAll(/\//g)) {
    rules = rulesIn(start.slice(0, start.lastIndexOf('/', index - 1) + 1), rules)
    isLeftOut ||= isIgnored(start.slice(0, index + 1), rules)
  }
  if (isLeftOut && !options.isNamed) return
  const folders = [{ folder: start, outer: isLeftOut ? undefined : rules }]
  for (const { folder, outer } of folders) {
    const files: string[] = []
    const subfolders: string[] = []
    try {
      // A folder that is closed is the reason, not its .gitignore.
      await access(join(top, folder), constants.R_OK | constants.X_OK)
      rules = rulesIn(folder, outer)
      for await (const entry of await opendir(join(top, folder))) {
        if (options.signal.aborted) return
        const path = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`
        if (entry.name.startsWith('.') || isIgnored(path, rules)) continue
        if (entry.isDirectory()) subfolders.push(path)
        // What a link leads to is listed itself, or must not be.
        else if (entry.isFile() && isOffered(path.slice(start.length))) files.push(path.slice(start.length))
        else if (path.includes('\ufffd')) options.onUnreadable?.(path.slice(start.length))
      }
    } catch (error) {
      if (folder === start) throw error
      const reason = error instanceof FailedError ? ` (${error.message})` : ''
      options.onUnreadable?.(folder.slice(start.length) + reason)
      continue
    }
    // To sort more takes longer than a frame.
    yield* files.length < 5000 ? files.sort() : files
    for (const path of subfolders.sort()) folders.push({ folder: path, outer: rules })
  }
}

/** The closest directory with a repository. */
function repositoryOf(folder: string): string | undefined {
  if (statsOf(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryOf(parent)
}
