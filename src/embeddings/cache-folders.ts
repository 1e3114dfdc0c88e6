/** The folders of the cache of embeddings: which are removed when it gets large, and all of them when the user says so. */

import { lstatSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { FailedError, reasonOf } from '../errors.ts'
import { directoryFor } from '../io/files/directories.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'

const gigabyte = 1024 ** 3

/** In bytes, of all folders together. */
const maxSize = 2 * gigabyte

export type CacheIo = Pick<Io, 'env' | 'platform' | 'signal' | 'user'>

export function cacheRoot(io: CacheIo): string {
  return join(directoryFor('cache', io), 'embeddings')
}

/** The folders in it, the one that was used longest ago first, with their sizes in bytes. Never throws. */
export function foldersIn(root: string) {
  try {
    const folders = readdirSync(root).map((name) => {
      const path = join(root, name)
      const [keys, vectors] = [statsOf(join(path, 'keys')), statsOf(join(path, 'vectors'))]
      return { name, path, size: (keys?.size ?? 0) + (vectors?.size ?? 0), usedAt: keys?.mtimeMs ?? 0 }
    })
    return folders.sort((one, other) => one.usedAt - other.usedAt)
  } catch {
    return []
  }
}

/** Removes other folders until so many bytes more are not too many. @throws FailedError if they are too many for one folder. */
export function makeRoom(root: string, folder: string, size: number): void {
  const folders = foldersIn(root)
  const own = folders.find(({ path }) => path === folder)?.size ?? 0
  if (own + size > maxSize) throw new FailedError('the cache has 2 GB, which is the most')
  let total = folders.reduce((sum, other) => sum + other.size, size)
  for (const other of folders) {
    if (total <= maxSize) return
    if (other.path === folder || other.size === 0) continue
    rmSync(other.path, { recursive: true, force: true, maxRetries: 3 })
    total -= other.size
  }
}

/** @returns nothing while the cache is small. */
export function sizeNote(root: string): string[] {
  const size = foldersIn(root).reduce((sum, folder) => sum + folder.size, 0)
  if (size <= gigabyte) return []
  return [`the cache of embeddings has ${(size / gigabyte).toFixed(1)} GB; syn similar --forget removes it`]
}

/** @returns what was done. @throws FailedError */
export function removeCache(io: CacheIo): string {
  const root = cacheRoot(io)
  if (!statsOf(root)) return 'there is no cache'
  try {
    // A link to a folder on another disk stays, and that folder.
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 })
    if (!lstatSync(root).isSymbolicLink()) rmdirSync(root)
    return `removed ${root}`
  } catch (error) {
    throw new FailedError(`cannot remove ${root}: ${reasonOf(error)}`)
  }
}
