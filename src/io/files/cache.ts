/** The cache directory: one file per name and service, with a reply that can be fetched again. */

import { join } from 'node:path'
import { directoryFor } from './directories.ts'
import type { Io } from '../io.ts'
import { exactJson, withExactNumbers } from '../json/exact-numbers.ts'
import { isObject, type Json } from '../json/json.ts'
import { parseJsonIfValid } from '../json/parse.ts'
import { isOnlyOwn, makeFolder, readOwnFile } from './private.ts'
import { replaceFile } from './regular-file.ts'

export interface Cached {
  readonly value: Json
  /** For printing: see `withExactNumbers`. */
  readonly exact: () => Json
  /** Milliseconds since 1970. */
  readonly saved: number
}

/** In characters: most file systems allow names of 255 bytes. The ends of paths differ more than their starts. */
const longestService = 150

type CacheIo = Pick<Io, 'env' | 'platform' | 'now' | 'user'>

/**
 * @param baseUrl The service that it was fetched from; `undefined` if nothing must be cached.
 * @returns `undefined` when it is not cached, or cannot be read.
 */
export function readCache(name: string, baseUrl: string | undefined, io: CacheIo): Cached | undefined {
  if (baseUrl === undefined) return undefined
  try {
    const text = readOwnFile(pathOf(name, baseUrl, io)).toString('utf8')
    const entry = parseJsonIfValid(text)
    if (!isObject(entry) || entry.baseUrl !== baseUrl || typeof entry.saved !== 'number') return undefined
    if (entry.value === undefined) return undefined
    const { value, saved } = entry
    return { value, saved, exact: () => withExactNumbers(entry, text).value ?? null }
  } catch {
    return undefined
  }
}

/** Never throws: without a cache the next run makes the request again. */
export async function writeCache(name: string, baseUrl: string | undefined, value: Json, io: CacheIo): Promise<void> {
  if (baseUrl === undefined) return
  try {
    const path = pathOf(name, baseUrl, io)
    if (!isOnlyOwn(path, io)) return
    makeFolder(directoryFor('cache', io))
    await replaceFile(path, exactJson({ baseUrl, saved: io.now(), value }))
  } catch {
    // Best effort.
  }
}

function pathOf(name: string, baseUrl: string, io: CacheIo): string {
  // A hash takes longer to load than to read the file. Two services may share a name: the entry has its own.
  const service = baseUrl
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(-longestService)
  return join(directoryFor('cache', io), `${name}-${service}.json`)
}
