/**
 * Embeddings that were received before, in the cache directory: a folder for each service, request without its texts, and number
 * of dimensions. Its file `keys` has 16 bytes for each text, the start of its hash and a checksum of its vector, and `vectors` the
 * vectors in the same order, as 32-bit floats in the byte order of the machine. Neither a text nor a path is stored.
 *
 * A vector counts only with its checksum: a write that was cut off, and a file that is damaged or of another program, cost
 * embeddings, but give no wrong vector.
 */

import { hash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { decodeEmbeddings, type Vector } from '../api/embeddings/decode.ts'
import { requestBody } from '../api/embeddings/embed.ts'
import type { Sender } from '../api/operations.ts'
import { FailedError, reasonOf } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { defer } from '../io/defer.ts'
import { directoryFor } from '../io/files/directories.ts'
import { withLock } from '../io/files/private.ts'
import { openRegularFile, writeAll } from '../io/files/regular-file.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { Notices } from '../notices.ts'
import type { Settings } from '../settings/settings.ts'

/** In bytes. */
const recordSize = 16
const hashSize = 12
const bytesOfFloat = 4

const gigabyte = 1024 ** 3

/** In bytes, of all folders together. */
const maxSize = 2 * gigabyte

type CacheIo = Pick<Io, 'env' | 'platform' | 'signal'>

/** @param body The fields of each request except `input`. @returns `undefined` if nothing may be stored. */
export async function openCache(
  body: JsonObject,
  { options, settings, io, notices }: { options: { cache?: boolean }; settings: Settings; io: Io; notices: Notices },
): Promise<EmbeddingCache | undefined> {
  if (settings.get('save')?.value !== false) return new EmbeddingCache(settings.cacheKey ?? 'sandbox', body, io)
  if (options.cache) await notices.info('--cache keeps nothing, because the setting save is false')
  return undefined
}

export class EmbeddingCache {
  readonly #root: string
  readonly #signal: AbortSignal
  /** The start of the name of its folders. */
  readonly #name: string
  /** The slot of a text's vector, by the start of the text's hash. */
  readonly #slots = new Map<string, number>()
  /** The checksum of the vector in each slot. */
  readonly #checksums: number[] = []
  #dimensions = 0
  #appending = Promise.resolve()
  /** Why nothing is stored any more. */
  failure: string | undefined

  /** Never throws: what cannot be read is empty. */
  constructor(service: string, body: JsonObject, io: CacheIo) {
    this.#root = cacheFolder(io)
    this.#signal = io.signal
    const fields = Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1))
    this.#name = `${hash('sha256', JSON.stringify([service, fields])).slice(0, 32)}-`
    const latest = foldersIn(this.#root).findLast(({ name }) => name.startsWith(this.#name))
    this.expect(Number(latest?.name.slice(this.#name.length)) || 0)
  }

  /** Whether it has a vector of the text, were it a damaged one. */
  has(text: string): boolean {
    return this.#slots.has(keyOf(text))
  }

  /** To be called when the service has sent a vector: its model may have other dimensions than before. Never throws. */
  expect(dimensions: number): void {
    if (dimensions === this.#dimensions) return
    this.#clear(dimensions)
    try {
      const [keys, vectors] = [openRegularFile(this.#path('keys')), openRegularFile(this.#path('vectors'))]
      using _files = defer(() => [keys, vectors].forEach((file) => closeSync(file)))
      this.#readRecords(keys, this.#countIn(keys, vectors))
      // The folder that was used longest ago is removed first.
      utimesSync(this.#path('keys'), new Date(), new Date())
    } catch {
      // There is none, or it is that of another user.
    }
  }

  /** Never throws. @returns for each text its vector; `undefined` if there is none, or a damaged one. */
  find(texts: readonly string[]): (Float32Array | undefined)[] {
    try {
      const file = openRegularFile(this.#path('vectors'))
      using _file = defer(() => closeSync(file))
      return texts.map((text) => this.#read(keyOf(text), file))
    } catch {
      // There is none, or another run has removed it.
      return []
    }
  }

  /** @throws system errors */
  #read(key: string, file: number): Float32Array | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const vector = new Float32Array(this.#dimensions)
    readSync(file, vector, 0, vector.byteLength, slot * vector.byteLength)
    if (crc32(vector) === this.#checksums[slot]) return vector
    this.#slots.delete(key)
    return undefined
  }

  /** @returns sends the texts that the cache does not have, and keeps what is received. */
  sender(client: Sender): Sender {
    return {
      send: async (operation, { input, ...body } = {}, options) => {
        const texts = [input].flat() as string[]
        const found = this.find(texts)
        const missing = [...new Set(texts.filter((_, at) => !found[at]))]
        const received = new Map<string, Vector>()
        let usage: Json | undefined = { prompt_tokens: 0 }
        if (missing.length > 0) {
          const reply = await client.send(operation, requestBody(body, { texts: missing }), options)
          const decoded = decodeEmbeddings(reply, missing.length, body.encoding_format === 'base64')
          await this.#add(missing, decoded.vectors)
          for (const [at, text] of missing.entries()) received.set(text, decoded.vectors[at] ?? [])
          usage = decoded.usage
        }
        const data = texts.map((text, index) => ({ index, embedding: [...(found[index] ?? received.get(text) ?? [])] }))
        const json = { data, usage: usage ?? null }
        return { json, exact: () => json, text: '', headers: {} }
      },
    }
  }

  /** What a run says at its end of what it could not store, and of a large cache. */
  notes(): string[] {
    const size = foldersIn(this.#root).reduce((sum, folder) => sum + folder.size, 0)
    const large = `the cache of embeddings has ${(size / gigabyte).toFixed(1)} GB; syn similar --forget removes it`
    const failed = this.failure === undefined ? [] : [`embeddings were not stored: ${this.failure}`]
    return size > gigabyte ? [...failed, large] : failed
  }

  /** @throws the signal's reason; for anything else see `failure`. */
  #add(texts: readonly string[], vectors: readonly Vector[]): Promise<void> {
    // One after the other: to wait for the lock takes longer.
    return (this.#appending = this.#appending.then(async () => {
      if (this.failure !== undefined) return
      try {
        this.expect(vectors[0]?.length ?? 0)
        await withLock(this.#path('keys'), () => this.#append(texts, vectors), this.#signal)
      } catch (error) {
        this.#signal.throwIfAborted()
        this.failure = reasonOf(error)
      }
    }))
  }

  /** Under the lock. @throws system errors; FailedError if the cache is full. */
  async #append(texts: readonly string[], vectors: readonly Vector[]): Promise<void> {
    const [keys, floats] = [openSync(this.#path('keys'), 'a+', 0o600), openSync(this.#path('vectors'), 'a+', 0o600)]
    using _files = defer(() => [keys, floats].forEach((file) => closeSync(file)))
    const count = this.#countIn(keys, floats)
    // Another run has removed them.
    if (count < this.#checksums.length) this.#clear(this.#dimensions)
    // After a run that was killed between the two.
    ftruncateSync(keys, count * recordSize)
    ftruncateSync(floats, count * this.#dimensions * bytesOfFloat)
    // What other runs have added.
    this.#readRecords(keys, count)
    const added = new Map<string, Buffer>()
    for (const [at, text] of texts.entries()) {
      const vector = Float32Array.from(vectors[at] ?? [])
      const isWhole = vector.length === this.#dimensions && vector.every(Number.isFinite)
      if (isWhole && !this.has(text)) added.set(keyOf(text), Buffer.from(vector.buffer))
    }
    makeRoom(this.#root, dirname(this.#path('keys')), added.size * (this.#dimensions * bytesOfFloat + recordSize))
    const records = Buffer.alloc(added.size * recordSize)
    for (const [at, [key, vector]] of [...added].entries()) {
      records.write(key, at * recordSize, 'latin1')
      records.writeUInt32LE(crc32(vector), at * recordSize + hashSize)
    }
    await writeAll(floats, Buffer.concat([...added.values()]))
    await writeAll(keys, records)
    this.#readRecords(keys, count + added.size)
  }

  /** Reads those that are not known. @param count Of all. */
  #readRecords(keys: number, count: number): void {
    const known = this.#checksums.length
    const records = Buffer.alloc((count - known) * recordSize)
    readSync(keys, records, 0, records.length, known * recordSize)
    for (let at = 0; at < records.length; at += recordSize) {
      this.#slots.set(records.toString('latin1', at, at + hashSize), this.#checksums.length)
      append(this.#checksums, [records.readUInt32LE(at + hashSize)])
    }
  }

  /** How many texts have both a key and a vector. */
  #countIn(keys: number, vectors: number): number {
    const vectorCount = fstatSync(vectors).size / (this.#dimensions * bytesOfFloat)
    return Math.floor(Math.min(fstatSync(keys).size / recordSize, vectorCount))
  }

  #path(file: 'keys' | 'vectors'): string {
    return join(this.#root, this.#name + this.#dimensions, file)
  }

  #clear(dimensions: number): void {
    this.#slots.clear()
    this.#checksums.length = 0
    this.#dimensions = dimensions
  }
}

function cacheFolder(io: CacheIo): string {
  return join(directoryFor('cache', io), 'embeddings')
}

/** The folders in it, the one that was used longest ago first, with their sizes in bytes. Never throws. */
function foldersIn(root: string) {
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

/** @returns what was done. @throws FailedError */
export function removeCache(io: CacheIo): string {
  const folder = cacheFolder(io)
  if (!statsOf(folder)) return 'there is no cache'
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    return `removed ${folder}`
  } catch (error) {
    throw new FailedError(`cannot remove ${folder}: ${reasonOf(error)}`)
  }
}

/** Removes other folders until so many bytes more are not too many. @throws FailedError if they are too many for one folder. */
function makeRoom(root: string, folder: string, size: number): void {
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

/** The start of its hash, in Latin-1. */
function keyOf(text: string): string {
  return hash('sha256', text, 'buffer').toString('latin1', 0, hashSize)
}
