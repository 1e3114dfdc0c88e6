/** The files below a folder, without what .gitignore excludes; git is not run. */

import { opendir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { sanitizeName } from '../text/safe-text.ts'
import { readStart } from './regular-file.ts'
import { statsOf } from './stats.ts'

/** In bytes. */
const longestGitignore = 256 * 1024

export interface FolderOptions {
  /** Stops the reading; no error is thrown then. */
  readonly signal: AbortSignal
  /** Whether a folder is read although a .gitignore above excludes it. */
  readonly isNamed?: boolean
  /** Called for each folder in it that cannot be read. */
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
  let rules = ignore({ ignorecase: false })
  for (const { index } of start.matchAll(/(?<=^|\/)[^/]/g)) rules = rulesOf(top, start.slice(0, index), rules)
  if (options.isNamed && start !== '' && rules.ignores(start)) rules = ignore({ ignorecase: false })
  const folders = [{ folder: start, rules }]
  for (const { folder, rules: outer } of folders) {
    const inner = rulesOf(top, folder, outer)
    const files: string[] = []
    const subfolders: string[] = []
    try {
      for await (const entry of await opendir(join(top, folder))) {
        if (options.signal.aborted) return
        const path = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`
        if (entry.name.startsWith('.') || inner.ignores(path)) continue
        if (entry.isDirectory()) subfolders.push(path)
        // What a link leads to is listed itself, or must not be.
        else if (entry.isFile() && isOffered(path.slice(start.length))) files.push(path.slice(start.length))
      }
    } catch (error) {
      if (folder === start) throw error
      options.onUnreadable?.(folder.slice(start.length))
    }
    // To sort more takes longer than a frame.
    yield* files.length < 5000 ? files.sort() : files
    for (const path of subfolders.sort()) folders.push({ folder: path, rules: inner })
  }
}

/** The closest directory with a repository. */
function repositoryOf(folder: string): string | undefined {
  if (statsOf(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryOf(parent)
}

/** Adds the patterns of a .gitignore: of several that match, the last one applies. @param folder Ends with a slash, or is empty. */
function rulesOf(top: string, folder: string, rules: Ignore): Ignore {
  try {
    const text = readStart(join(top, folder, '.gitignore'), longestGitignore)
    if (text === undefined) return rules
    const lines = text.replace(/^\ufeff|\0/g, '').split(/\r?\n/)
    return ignore({ ignorecase: false })
      .add(rules)
      .add(lines.map((line) => withFolder(line, folder)))
  } catch {
    return rules
  }
}

// `a` → `/folder/**/a`, `/a` → `/folder/a`, `a/b` → `/folder/a/b`
function withFolder(line: string, folder: string): string {
  const [, not, pattern = ''] = /^(!?)(?!#|\s*$)(.*)$/.exec(line) ?? []
  if (not === undefined) return ''
  const below = /\/.*\S/.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`
  return `${not}/${folder.replace(/[\\*?[\]]/g, '\\$&')}${below}`
}
