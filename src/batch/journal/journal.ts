/**
 * The journal of a run: an append-only file with the result of each row, in order of completion. A line with the manifest
 * starts each run, a line with `end` ends it.
 */

import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, renameSync, writeFileSync } from 'node:fs'
import { FailedError, type SynError } from '../../errors.ts'
import { exactJson } from '../../io/json/json.ts'
import { createFile, writeFailure } from '../../io/files/regular-file.ts'
import { startTimer } from '../../io/time/timer.ts'
import { type BatchFiles, temporaryPath } from './files.ts'
import { encodeEnd, encodeRecord, type RunEnd } from './journal-reader.ts'
import { encodeManifest, type Manifest } from './manifest.ts'
import { isPart, type RowRequest, type RowResult } from '../row.ts'

/** In milliseconds. */
const syncInterval = 1000
/** In records. */
const maxUnsynced = 256

/** In bytes. A character of UTF-8 has at most 3 for each of its code units. */
const bufferSize = 64 * 1024

/** Another run writes the journal. */
export class OtherRunError extends FailedError {}

export class Journal {
  readonly path: string
  /** The open file. */
  readonly file: number
  /** The number of recorded answers of no row of this run, as of a larger part of the input. The journal is kept for them. */
  otherResults = 0
  /** Of the last run that was started. */
  manifest: Manifest | undefined
  /** By row: where its result starts, or 0, where the manifest is. Of 8 bytes, as all that is kept of a row. */
  readonly #offsets: Float64Array
  readonly #buffer = Buffer.allocUnsafe(bufferSize)
  /** The number of hard links when it was opened: one less when another run removes it. */
  readonly #links: number
  /** Where the next line starts. */
  #size = 0
  #unsynced = 0
  #timer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #failure: SynError | undefined
  #isOpen = true

  /**
   * For `createJournal` and `resumeJournal`. The file does not change before `begin`.
   * @param rows The number of rows, invalid ones included.
   */
  constructor(path: string, file: number, rows: number) {
    this.path = path
    this.file = file
    this.#offsets = new Float64Array(rows)
    this.#links = fstatSync(file).nlink
  }

  /** The number of rows, invalid ones included. */
  get rowCount(): number {
    return this.#offsets.length
  }

  /** Starts a run. @param size Where its first line is to start; what follows is cut off. @throws FailedError */
  begin(manifest: Manifest, size: number): void {
    this.manifest = manifest
    this.#size = size
    if (fstatSync(this.file).size > size) this.#guard(() => ftruncateSync(this.file, size))
    this.#write(encodeManifest(manifest))
    this.#guard(() => fdatasyncSync(this.file))
  }

  /** Where the row's result starts, an error included. */
  offsetOf(row: number): number | undefined {
    return this.#offsets[row] || undefined
  }

  /** Takes a recorded result for that of a row. */
  setOffset(row: number, offset: number): void {
    this.#offsets[row] = offset
  }

  /**
   * Writes the result of a row. After it, the result survives the end of this process; after at most a second or 256 more
   * results, a power failure.
   * @param row Its number in the input, from 0.
   * @param jobs The number of requests that are sent at once.
   * @throws FailedError when it cannot be written.
   */
  append(
    row: number,
    { record, hash, limit, body }: Pick<RowRequest, 'record' | 'hash' | 'limit' | 'body'>,
    result: RowResult,
    jobs: number,
  ): void {
    const { attempts, usage, model, isCutOff, response, error } = result
    const head = {
      line: record.line,
      hash,
      attempts,
      jobs,
      usage: usage && {
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        cached_tokens: usage.cachedTokens,
        cache_creation_input_tokens: usage.cacheWriteTokens,
      },
      requested: body.model === this.manifest?.model?.requested ? undefined : body.model,
      // Named by the service: the start of a line must not become too long.
      model: model?.slice(0, 1000),
      cut_off: isCutOff || undefined,
      failed: error !== null || undefined,
      // `null` without one.
      limit: isPart(result) ? limit : undefined,
    }
    const offset = this.#size
    this.#write(encodeRecord(head, exactJson({ response, error })))
    this.setOffset(row, offset)
    this.#unsynced += 1
    if (this.#unsynced >= maxUnsynced) this.#sync()
    else this.#syncLater()
  }

  /**
   * Call before what is recorded is used for good. A run that was suspended for seconds, as with Ctrl-Z, loses its lock to the
   * next one, and goes on before it can know.
   * @throws OtherRunError, from then on, if another run has written the journal or removed it.
   */
  check(): void {
    if (this.#failure) throw this.#failure
    const { size, nlink } = fstatSync(this.file)
    if (size === this.#size && nlink >= this.#links) return
    this.#failure = new OtherRunError(`cannot write ${this.path}: another run writes it`)
    throw this.#failure
  }

  /**
   * Ends the run.
   * @param inFlight The number of requests that were sent and have no result.
   * @throws FailedError, also if an earlier line could not be written.
   */
  async end(end: RunEnd, inFlight: number, time: number): Promise<void> {
    this.#write(encodeEnd({ end, in_flight: inFlight, time: new Date(time).toISOString() }))
    await this.#syncing
    this.#guard(() => fdatasyncSync(this.file))
    if (this.#failure) throw this.#failure
  }

  /** Call when nothing is read from the journal any more. */
  async close(): Promise<void> {
    await this.#syncing
    clearTimeout(this.#timer)
    if (this.#isOpen) closeSync(this.file)
    this.#isOpen = false
  }

  #write(line: string): void {
    this.check()
    const bytes = 3 * line.length > this.#buffer.length ? Buffer.from(line) : this.#inBuffer(line)
    this.#guard(() => writeFileSync(this.file, bytes))
    this.#size += bytes.length
  }

  /** One buffer for most lines, of which a million would have to be collected. */
  #inBuffer(line: string): Buffer {
    return this.#buffer.subarray(0, this.#buffer.write(line))
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
        ftruncateSync(this.file, this.#size)
      } catch {
        // Such as on a disk that is gone.
      }
      throw this.#failure
    }
  }
}

/**
 * Starts a journal. An older one keeps its name until then: without any, the files that a kill left would be refused.
 * @param rows The number of rows, invalid ones included.
 * @throws FailedError
 */
export function createJournal(files: BatchFiles, manifest: Manifest, rows: number): Journal {
  const temporary = temporaryPath(files, 'journal')
  try {
    const journal = new Journal(files.journal, createFile(temporary, files.mode, 'ax+'), rows)
    journal.begin(manifest, 0)
    renameSync(temporary, files.journal)
    return journal
  } catch (error) {
    throw writeFailure(files.journal, error)
  }
}
