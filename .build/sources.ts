/** What dist/ is built from. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In dist/, the hash of the sources. */
export const hashFile = 'sources.sha256'

/** A hash of all that a build reads. Times of files would not do: git sets them when it checks out. */
export function sourcesHash(): string {
  const below = ['src', '.build', 'man'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(folder === 'man' ? '.1' : '.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const paths = [...below, join(root, 'package.json'), join(root, 'package-lock.json')].toSorted()
  const hash = createHash('sha256')
  for (const path of paths) {
    const content = readFileSync(path)
    hash.update(`${relative(root, path)} ${content.length}\n`).update(content)
  }
  return `${hash.digest('hex')}\n`
}

/** Whether dist/ is what a build would make now. */
export function isBuilt(): boolean {
  try {
    const isThere = existsSync(join(root, 'dist/main.cjs'))
    return isThere && readFileSync(join(root, 'dist', hashFile), 'utf8') === sourcesHash()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
