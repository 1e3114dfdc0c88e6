/** The cache directory: one file per name and service, with a reply that can be fetched again. */

import { join } from 'node:path'
import { cacheDirectory } from './directories.ts'
import type { Io } from './io.ts'
import { exactJson, isObject, type Json, parseJsonIfValid, withExactNumbers } from './json.ts'
import { makeFolder, readOwnFile, replaceFile } from './private.ts'

export interface Cached {
  readonly value: Json
  /** For printing: see `withExactNumbers`. */
  readonly exact: () => Json
  /** Milliseconds since 1970. */
  readonly saved: number
}

/** In characters: most file systems allow names of 255 bytes. */
const longestService = 150

export class Cache {
  readonly #io: Pick<Io, 'env' | 'platform' | 'now'>

  constructor(io: Pick<Io, 'env' | 'platform' | 'now'>) {
    this.#io = io
  }

  /**
   * @param name What was fetched, such as `models`.
   * @param baseUrl The service that it was fetched from.
   * @returns `undefined` when it is not cached, or cannot be read.
   */
  read(name: string, baseUrl: string): Cached | undefined {
    try {
      const text = readOwnFile(this.#path(name, baseUrl)).toString('utf8')
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
  async write(name: string, baseUrl: string, value: Json): Promise<void> {
    try {
      makeFolder(cacheDirectory(this.#io))
      await replaceFile(this.#path(name, baseUrl), exactJson({ baseUrl, saved: this.#io.now(), value }))
    } catch {
      // Best effort.
    }
  }

  #path(name: string, baseUrl: string): string {
    // Not a hash, which takes longer to load than to read the file. Two services may share a name: the entry has its own.
    const service = baseUrl
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, '-')
      .slice(0, longestService)
    return join(cacheDirectory(this.#io), `${name}-${service}.json`)
  }
}
