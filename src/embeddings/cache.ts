/**
 * Embeddings that were received before, in the cache directory: a folder for each service, request without its texts, and number
 * of dimensions. Its file `keys` has 16 bytes for each text, the start of its hash and a checksum of its vector, and `vectors` the
 * vectors in the same order, as 32-bit floats in the byte order of the machine. Neither a text nor a path is stored.
 *
 * A vector counts only with its checksum: a write that was cut off, and a file that is damaged or of another program, cost
 * embeddings, but give no wrong vector.
 */

import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Vector } from '../api/embeddings/decode.ts'
import type { Embed } from '../api/embeddings/embed.ts'
import { reasonOf } from '../errors.ts'
import { defer } from '../io/defer.ts'
import { checkWriters, type Owner, ownerOf, withLock } from '../io/files/private.ts'
import { openRegularFile, writeAll } from '../io/files/regular-file.ts'
import type { Io } from '../io/io.ts'
import { countText } from '../io/text/plural.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Settings } from '../settings/settings.ts'
import { type CacheIo, cacheRoot, foldersIn, makeRoom, sizeNote } from './cache-folders.ts'

/** In bytes. */
const recordSize = 16
const hashSize = 12
const bytesOfFloat = 4

/** Nobody has a reason to put a link in place of these files. Some systems lack the flag. */
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)
const adding =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** @param body The fields of each request except `input`. @returns `undefined` if nothing may be stored. */
export function openCache(
  body: JsonObject,
  { settings, io }: { settings: Settings; io: Io },
): EmbeddingCache | undefined {
  if (settings.get('save')?.value === false) return undefined
  return new EmbeddingCache(settings.cacheKey ?? 'sandbox', body, io)
}

export class EmbeddingCache {
  readonly #root: string
  readonly #signal: AbortSignal
  /** The name of its folders, without the number of dimensions at the end. */
  readonly #name: string
  /** The slot of a text's vector, by the text's key. */
  readonly #slots = new Map<string, number>()
  /** The checksum of the vector in each slot. */
  readonly #checksums: number[] = []
  #dimensions = 0
  #appending = Promise.resolve()
  /** How many vectors of zeros this run has received: not stored, so that the next run asks again. */
  #zeros = 0
  readonly #owner: Owner
  /** Why nothing is stored any more. */
  failure: string | undefined

  /** Never throws: what cannot be read is empty. */
  constructor(service: string, body: JsonObject, io: CacheIo) {
    this.#root = cacheRoot(io)
    this.#signal = io.signal
    this.#owner = ownerOf(io)
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
      checkWriters(this.#path('keys'), this.#owner, 'read')
      const [keys, vectors] = [
        openRegularFile(this.#path('keys'), reading),
        openRegularFile(this.#path('vectors'), reading),
      ]
      using _files = defer(() => [keys, vectors].forEach((file) => closeSync(file)))
      this.#readKeys(keys, this.#countIn(keys, vectors))
      // The folder that was used longest ago is removed first.
      futimesSync(keys, new Date(), new Date())
    } catch {
      // There is none, or it is that of another user.
    }
  }

  /** Never throws. @returns for each text its vector; `undefined` if there is none, or a damaged one. */
  find(texts: readonly string[]): (Float32Array | undefined)[] {
    try {
      const file = openRegularFile(this.#path('vectors'), reading)
      using _file = defer(() => closeSync(file))
      return texts.map((text) => this.#readVector(keyOf(text), file))
    } catch {
      // There is none, or another run has removed it.
      return []
    }
  }

  /** @throws system errors */
  #readVector(key: string, file: number): Float32Array | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const vector = new Float32Array(this.#dimensions)
    readSync(file, vector, 0, vector.byteLength, slot * vector.byteLength)
    if (crc32(vector) === this.#checksums[slot] && vector.some(Boolean)) return vector
    this.#slots.delete(key)
    return undefined
  }

  /** @returns embeds texts, and stores what is received. */
  storing(embed: Embed): Embed {
    return async (texts) => {
      const reply = await embed(texts)
      await this.#add(texts, reply.vectors)
      this.#zeros += reply.vectors.filter((vector) => !vector.some(Math.fround)).length
      return reply
    }
  }

  /** What a run says at its end of what it could not store, and of a large cache. */
  notes(): string[] {
    const failed = this.failure === undefined ? [] : [`embeddings were not stored: ${this.failure}`]
    const zeros = this.#zeros === 0 ? [] : [`${countText(this.#zeros, 'embedding')} of zeros only, not stored`]
    return [...failed, ...zeros, ...sizeNote(this.#root)]
  }

  /** @throws the signal's reason; for anything else see `failure`. */
  #add(texts: readonly string[], vectors: readonly Vector[]): Promise<void> {
    // One after the other: to wait for the lock takes longer.
    return (this.#appending = this.#appending.then(async () => {
      if (this.failure !== undefined || texts.length === 0) return
      try {
        this.expect(vectors[0]?.length ?? 0)
        checkWriters(this.#path('keys'), this.#owner, 'write')
        await withLock(this.#path('keys'), () => this.#append(texts, vectors), this.#signal)
      } catch (error) {
        this.#signal.throwIfAborted()
        this.failure = reasonOf(error)
      }
    }))
  }

  /** Under the lock. @throws system errors; FailedError if the cache is full. */
  async #append(texts: readonly string[], vectors: readonly Vector[]): Promise<void> {
    const [keys, floats] = [openSync(this.#path('keys'), adding, 0o600), openSync(this.#path('vectors'), adding, 0o600)]
    using _files = defer(() => [keys, floats].forEach((file) => closeSync(file)))
    const count = this.#countIn(keys, floats)
    // Another run has removed them.
    if (count < this.#checksums.length) this.#clear(this.#dimensions)
    // After a run that was killed between the two.
    ftruncateSync(keys, count * recordSize)
    ftruncateSync(floats, count * this.#dimensions * bytesOfFloat)
    // What other runs have added.
    this.#readKeys(keys, count)
    const added = new Map<string, Buffer>()
    for (const [at, text] of texts.entries()) {
      const vector = Float32Array.from(vectors[at] ?? [])
      const isWhole = vector.length === this.#dimensions && vector.every(Number.isFinite) && vector.some(Boolean)
      if (isWhole && !this.has(text)) added.set(keyOf(text), Buffer.from(vector.buffer))
    }
    makeRoom(this.#root, this.#folder, added.size * (this.#dimensions * bytesOfFloat + recordSize))
    const records = [...added].map(([key, vector]) => {
      const record = Buffer.alloc(recordSize)
      record.write(key, 'latin1')
      record.writeUInt32LE(crc32(vector), hashSize)
      return record
    })
    await writeAll(floats, Buffer.concat([...added.values()]))
    await writeAll(keys, Buffer.concat(records))
    this.#readKeys(keys, count + added.size)
  }

  /** Reads the records of slots that are not known yet. @param count Of all slots. */
  #readKeys(keys: number, count: number): void {
    const known = this.#checksums.length
    const records = Buffer.alloc((count - known) * recordSize)
    readSync(keys, records, 0, records.length, known * recordSize)
    for (let at = 0; at < records.length; at += recordSize) {
      this.#slots.set(records.toString('latin1', at, at + hashSize), this.#checksums.length)
      this.#checksums.push(records.readUInt32LE(at + hashSize))
    }
  }

  /** How many texts have both a key and a vector. */
  #countIn(keys: number, vectors: number): number {
    const vectorCount = fstatSync(vectors).size / (this.#dimensions * bytesOfFloat)
    return Math.floor(Math.min(fstatSync(keys).size / recordSize, vectorCount))
  }

  get #folder(): string {
    return join(this.#root, this.#name + this.#dimensions)
  }

  #path(file: 'keys' | 'vectors'): string {
    return join(this.#folder, file)
  }

  #clear(dimensions: number): void {
    this.#slots.clear()
    this.#checksums.length = 0
    this.#dimensions = dimensions
  }
}

/** The start of a text's hash, in Latin-1. */
function keyOf(text: string): string {
  return hash('sha256', text, 'buffer').toString('latin1', 0, hashSize)
}
