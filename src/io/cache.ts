/** What can be fetched again, kept in the cache directory so that it need not be: one file a fact and service. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json } from './json.ts'
import type { Io } from './io.ts'
import { cacheDirectory } from './directories.ts'

export interface Cached {
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly saved: number
}

export class Cache {
  readonly #io: Pick<Io, 'env' | 'platform' | 'now'>

  constructor(io: Pick<Io, 'env' | 'platform' | 'now'>) {
    this.#io = io
  }

  /**
   * @param name Of the fact, such as `models`.
   * @param baseUrl Of the service it is true of.
   * @returns nothing when there is none, or what stands there can't be read.
   */
  async read(name: string, baseUrl: string): Promise<Cached | undefined> {
    try {
      const entry = JSON.parse(await readFile(this.#path(name, baseUrl), 'utf8')) as Json
      if (!isObject(entry) || entry.baseUrl !== baseUrl || typeof entry.saved !== 'number') return undefined
      return entry.value === undefined ? undefined : { value: entry.value, saved: entry.saved }
    } catch {
      return undefined
    }
  }

  /** A cache that can't be written costs a request the next time, and no more. */
  async write(name: string, baseUrl: string, value: Json): Promise<void> {
    const path = this.#path(name, baseUrl)
    const beside = `${path}.${randomBytes(4).toString('hex')}`
    try {
      await mkdir(cacheDirectory(this.#io), { recursive: true, mode: 0o700 })
      await writeFile(beside, JSON.stringify({ baseUrl, saved: this.#io.now(), value }), { mode: 0o600 })
      await rename(beside, path)
    } catch {
      await rm(beside, { force: true }).catch(() => undefined)
    }
  }

  #path(name: string, baseUrl: string): string {
    const service = createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)
    return join(cacheDirectory(this.#io), `${name}-${service}.json`)
  }
}
