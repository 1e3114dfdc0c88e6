/** File patterns such as `*.txt`, where no shell has expanded them: quoted ones, and all on Windows. */

import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { isFile, statsOf } from '../io/files/stats.ts'

/**
 * The files that match a path whose last part has `*` or `?`, sorted; as in a shell, hidden ones only if it starts with a
 * dot. If there are none, or the path is no pattern, it is returned as it is.
 */
export async function filesMatching(path: string): Promise<string[]> {
  const name = basename(path)
  // Of a URL. A letter and a colon are a drive of Windows.
  if (/^\w{2,}:/.test(path)) return [path]
  if (!/[*?]/.test(name) || !path.endsWith(name) || statsOf(path)) return [path]
  const folder = path.slice(0, path.length - name.length)
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => [])
  const pattern = patternOf(name)
  const files = entries
    .filter(
      (entry) =>
        pattern.test(entry.name) && (entry.isFile() || (entry.isSymbolicLink() && isFile(folder + entry.name))),
    )
    .map((entry) => folder + entry.name)
  return files.length === 0 ? [path] : files.sort()
}

function patternOf(name: string): RegExp {
  const wildcards: Readonly<Record<string, string>> = { '*': '.*', '?': '.' }
  const source = name.replace(/\*+|[?\\^$.|+()[\]{}]/g, (found) => wildcards[found[0] ?? ''] ?? `\\${found}`)
  return new RegExp(`^${name.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 'su')
}
