/** File patterns such as `*.txt`, where no shell has expanded them: quoted ones, and all on Windows. */

import { type realpath, stat, type Stats } from 'node:fs'
import { basename, sep } from 'node:path'
import { isDamagedName, isFile, mayExist, statsOf } from '../io/files/stats.ts'

/**
 * The files that match a path whose last part has `*` or `?`, the only wildcards here, sorted; as in a shell, hidden ones only
 * if it starts with a dot. If there are none, or the path is no pattern, it is returned as it is.
 */
export async function filesMatching(path: string): Promise<string[]> {
  // A URL may have them, too. A letter and a colon are a drive of Windows.
  if (/^\w{2,}:/.test(path) || !/[*?]/.test(basename(path)) || mayExist(path)) return [path]
  const files = (await pathsMatching(path.replace(/[[\]{}]/g, '[$&]'))).filter(
    (one) => isFile(one) || isDamagedName(one),
  )
  return files.length === 0 ? [path] : files
}

/**
 * What matches a pattern with `*`, `**`, `?`, `[a-z]` and `{a,b}`, sorted, with links that lead nowhere; hidden files only if
 * it names them. What exists by this name comes first, also as the start of a pattern: a folder may be named `[draft]`.
 */
export async function pathsMatching(typed: string): Promise<string[]> {
  if (mayExist(typed)) return [typed]
  // On Windows only, a backslash is no escape.
  const path = typed.replaceAll(sep, '/')
  let start = path.lastIndexOf('/') + 1
  while (start > 0 && !statsOf(path.slice(0, start))) start = path.lastIndexOf('/', start - 2) + 1
  const [folder, pattern] = [path.slice(0, start), path.slice(start)]
  const { glob } = await import('tinyglobby')
  // A link may lead back, and ** would follow it. The library leaves out a link that leads nowhere, and says that to no one.
  const followed = (link: string, done: (error: null, stats: Pick<Stats, 'isDirectory'>) => void): void =>
    stat(link, (_error, stats) => done(null, stats && !pattern.includes('**') ? stats : { isDirectory: () => false }))
  const found = await glob(pattern.replace(/(?<!\\)[()|"]|^!/g, String.raw`\$&`), {
    cwd: folder || '.',
    expandDirectories: false,
    extglob: false,
    fs: {
      stat: followed as typeof stat,
      realpath: ((link: string, done: (error: null, path: string) => void) => done(null, link)) as typeof realpath,
    },
    // What is no pattern for the library, such as a//, matches nothing.
  }).catch(() => [])
  // To the library, [!a] matches the dot of a hidden file.
  return found
    .filter((one) => !/(^|\/)\./.test(one) || /(^|[/{,])\\?\./.test(pattern))
    .map((one) => folder + one)
    .sort()
}
