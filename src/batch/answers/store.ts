/**
 * The store of answers beside the results: an append-only file with the result of each request, in order of completion. An empty
 * line and a line with the settings start each run, a line with `end` ends it.
 */

import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, writeFileSync } from 'node:fs'
import { FailedError, type SynError } from '../../errors.ts'
import { exactJson } from '../../io/json/exact-numbers.ts'
import { createFile, openIfExists, setMode, writeFailure } from '../../io/files/regular-file.ts'
import { startTimer } from '../../io/time/time.ts'
import { encodeUsage } from '../../stream/delta.ts'
import type { RowRequest, RowResult } from '../row.ts'
import { encodeLine, encodeRun, type RunRecord } from './line.ts'
import type { RunEnd } from './scan.ts'

/** In milliseconds. */
const syncInterval = 1000
/** In records. */
const maxUnsynced = 256

/** In bytes. A character of UTF-8 has at most 3 for each of its code units. */
const bufferSize = 64 * 1024

/** A store can be read by its owner alone. */
const storeMode = 0o600

export class OtherRunError extends FailedError {}

export class AnswerStore {
  readonly path: string
  readonly file: number
  readonly #buffer = Buffer.allocUnsafe(bufferSize)
  /** The number of hard links when it was opened: one less when it is removed. */
  readonly #links: number
  /** The start of the next line, in bytes. */
  size = 0
  /** The last run that was begun. */
  run: RunRecord | undefined
  #unsynced = 0
  #timer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #failure: SynError | undefined

  /** Opens it, or creates it. It does not change before `begin`. @throws FailedError */
  constructor(path: string) {
    this.path = path
    try {
      this.file = openIfExists(path, constants.O_RDWR | constants.O_APPEND) ?? createFile(path, storeMode, 'ax+')
      // A store that was joined by cat gets the mode, too.
      setMode(this.file, storeMode)
      this.#links = fstatSync(this.file).nlink
    } catch (error) {
      throw writeFailure(path, error)
    }
  }

  /** Starts a run. @param size Where its first line is to start; what follows is cut off. @throws FailedError */
  begin(run: RunRecord, size: number): void {
    this.run = run
    this.size = size
    if (fstatSync(this.file).size > size) this.#guard(() => ftruncateSync(this.file, size))
    this.#write(`\n${encodeLine(encodeRun(run))}`)
    this.#guard(() => fdatasyncSync(this.file))
  }

  /**
   * Writes the result of a row. After it, the result survives the end of this process; after at most a second or 256 more
   * results, a power failure.
   * @param row Its number in the input, from 0: equal requests keep their own answers as long as it is the same.
   * @param jobs The number of requests that are sent at once.
   * @returns where it starts, in bytes.
   * @throws FailedError when it cannot be written.
   */
  append(
    row: number,
    { hash, limit, body }: Pick<RowRequest, 'hash' | 'limit' | 'body'>,
    result: RowResult,
    jobs: number,
  ): number {
    const { attempts, asked = body.model, usage, model, isCutOff, response, part } = result
    const error = part ?? result.error
    const head = {
      hash,
      row,
      attempts,
      jobs,
      usage: usage && encodeUsage(usage),
      requested: asked === this.run?.model.requested ? undefined : asked,
      // Named by the service: the start of a line must not become too long.
      model: model?.slice(0, 1000),
      cut_off: isCutOff || undefined,
      failed: (error !== null && !part) || undefined,
      // `null` without one.
      limit: part && limit,
      part: part?.code,
    }
    const offset = this.size
    this.#write(encodeLine(head, exactJson({ response, error })))
    this.#unsynced += 1
    if (this.#unsynced >= maxUnsynced) this.#sync()
    else this.#syncLater()
    return offset
  }

  /**
   * A run that was suspended for seconds, as with Ctrl-Z, loses its lock to the
   * next one, and goes on before it can know.
   * @throws OtherRunError, from then on, if another run has written the store, or it was removed.
   */
  #check(): void {
    if (this.#failure) throw this.#failure
    const { size, nlink } = fstatSync(this.file)
    if (size === this.size && nlink >= this.#links) return
    this.#failure = new OtherRunError(`cannot write ${this.path}: another run writes it, or it was removed`)
    throw this.#failure
  }

  /**
   * Ends the run.
   * @param inFlight The number of requests that were sent and have no result.
   * @throws FailedError
   */
  end(end: RunEnd, inFlight: number, time: number): Promise<void> {
    const failure = this.#failure?.message
    // What a full disk has no room for was cut off: this line is shorter.
    if (!(this.#failure instanceof OtherRunError)) this.#failure = undefined
    return this.add({ end, failure, in_flight: inFlight, time: new Date(time).toISOString() })
  }

  /** Adds a line that is no record, and resolves when all is on the disk. @throws as `end`. */
  async add(line: object): Promise<void> {
    this.#write(encodeLine(line))
    await this.#syncing
    this.#guard(() => fdatasyncSync(this.file))
    if (this.#failure) throw this.#failure
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#syncing
    clearTimeout(this.#timer)
    closeSync(this.file)
  }

  #write(line: string): void {
    this.#check()
    // One buffer for most lines, of which a million would have to be collected.
    const isLong = 3 * line.length > this.#buffer.length
    const bytes = isLong ? Buffer.from(line) : this.#buffer.subarray(0, this.#buffer.write(line))
    this.#guard(() => writeFileSync(this.file, bytes))
    this.size += bytes.length
  }

  #sync(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#syncing) return
    this.#unsynced = 0
    this.#syncing = new Promise((resolve) => {
      fdatasync(this.file, (error) => {
        // Thrown by the next call: what the disk lost is not asked for again.
        if (error) this.#failure ??= writeFailure(this.path, error)
        this.#syncing = undefined
        if (this.#unsynced > 0) this.#syncLater()
        resolve()
      })
    })
  }

  #syncLater(): void {
    this.#timer ??= startTimer(syncInterval, () => this.#sync()).unref()
  }

  /** @throws FailedError after any system error, from then on. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failure = writeFailure(this.path, error)
      try {
        // Half a line would be cut off by the next run as well.
        ftruncateSync(this.file, this.size)
      } catch {
        // The disk may be gone.
      }
      throw this.#failure
    }
  }
}
