/**
 * The journal of a run: an append-only file with the result of each row, in order of completion. A line with the manifest
 * starts each run, a line with `end` ends it.
 */

import {
  closeSync,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  unlinkSync,
} from 'node:fs'
import { FailedError, isSystemError, reasonOf } from '../../errors.ts'
import { exactJson } from '../../io/json.ts'
import { startTimer } from '../../io/timer.ts'
import { writeWhole } from '../../io/write-whole.ts'
import type { BatchFiles } from './files.ts'
import { encodeEnd, encodeRecord, type RunEnd } from './journal-reader.ts'
import { encodeManifest, type Manifest } from './manifest.ts'
import { isPart, type RowRequest, type RowResult } from '../row.ts'

/** In milliseconds. */
const syncInterval = 1000
/** In records. */
const maxUnsynced = 256

/** In bytes. A character of UTF-8 has at most 3 for each of its code units. */
const bufferSize = 64 * 1024

/** In `offsets`. */
const noResult = -1

/** Another run writes the journal. */
export class OtherRunError extends FailedError {}

export class Journal {
  readonly path: string
  /** The open file. */
  readonly file: number
  /** The number of recorded answers of no row of this run, as of a larger part of the input. The journal is kept for them. */
  readonly otherResults: number
  /** Of the last run that was started. */
  manifest: Manifest | undefined
  /** By row: where its result starts; `noResult`, or `failedAt` for a failed row. Of 8 bytes, as all that is kept of a row. */
  readonly #offsets: Float64Array
  readonly #buffer = Buffer.allocUnsafe(bufferSize)
  /** The number of hard links when it was opened: one less when another run removes it. */
  readonly #links: number
  #size: number
  #unsynced = 0
  #timer: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #failure: FailedError | undefined
  #isOpen = true

  /**
   * For `createJournal` and `resumeJournal`.
   * @param size Where the next line is to start; what follows is cut off.
   */
  constructor(path: string, file: number, size: number, offsets: Float64Array, otherResults = 0) {
    this.path = path
    this.file = file
    this.otherResults = otherResults
    this.#size = size
    this.#offsets = offsets
    const stats = fstatSync(file)
    this.#links = stats.nlink
    if (stats.size > size) this.#guard(() => ftruncateSync(file, size))
  }

  /** The number of rows, invalid ones included. */
  get rowCount(): number {
    return this.#offsets.length
  }

  /** Starts a run. @throws FailedError */
  begin(manifest: Manifest): void {
    this.manifest = manifest
    this.#write(encodeManifest(manifest))
    this.#guard(() => fdatasyncSync(this.file))
  }

  /** Whether the row has an answer. Failed rows have none. */
  isDone(row: number): boolean {
    return (this.#offsets[row] ?? noResult) >= 0
  }

  /** Where the row's result starts, an error included. */
  offsetOf(row: number): number | undefined {
    const offset = this.#offsets[row] ?? noResult
    return offset === noResult ? undefined : offset >= 0 ? offset : -2 - offset
  }

  /**
   * Writes the result of a row. After it, the result survives the end of this process; after at most a second or 256 more
   * results, a power failure.
   * @param row Its number in the input, from 0.
   * @param jobs The number of requests that are sent at once.
   * @throws FailedError when it cannot be written.
   */
  append(row: number, request: Pick<RowRequest, 'record' | 'hash' | 'limit'>, result: RowResult, jobs: number): void {
    const offset = this.#size
    this.#write(recordOf(request, result, jobs))
    this.#offsets[row] = result.error === null ? offset : failedAt(offset)
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
    this.#guard(() => writeWhole(this.file, bytes))
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
        if (error) this.#failure ??= this.#failureOf(error)
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
      this.#failure = this.#failureOf(error)
      try {
        // Half a line would be cut off by the next run as well.
        ftruncateSync(this.file, this.#size)
      } catch {
        // Such as on a disk that is gone.
      }
      throw this.#failure
    }
  }

  #failureOf(error: unknown): FailedError {
    return new FailedError(`cannot write ${this.path}: ${reasonOf(error)}`)
  }
}

/**
 * Starts a journal, in place of an older one.
 * @param rows The number of rows, invalid ones included.
 * @throws FailedError
 */
export function createJournal({ journal: path, mode }: BatchFiles, manifest: Manifest, rows: number): Journal {
  const journal = new Journal(path, createFile(path, mode), 0, emptyOffsets(rows))
  journal.begin(manifest)
  return journal
}

/** The offset of the result of a failed row, which is negative. */
export function failedAt(offset: number): number {
  return -2 - offset
}

export function emptyOffsets(rows: number): Float64Array {
  return new Float64Array(rows).fill(noResult)
}

/**
 * Creates a file to read and write, in place of an older one.
 * @param mode Of the file (default: by the umask).
 * @throws FailedError
 */
export function createFile(path: string, mode: number | undefined): number {
  try {
    removeFile(path)
    const file = openSync(path, 'ax+', mode)
    // open() applies the umask to the mode, chmod() does not.
    if (mode !== undefined) fchmodSync(file, mode)
    return file
  } catch (error) {
    throw new FailedError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}

/** Removes a file if it exists. @throws system errors. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
  }
}

function recordOf(
  { record, hash, limit }: Pick<RowRequest, 'record' | 'hash' | 'limit'>,
  result: RowResult,
  jobs: number,
): string {
  const { attempts, usage, model, isCutOff, response, error } = result
  const head = {
    line: record.line,
    hash,
    attempts,
    jobs,
    usage: usage && { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
    // Named by the service: the start of a line must not become too long.
    model: model?.slice(0, 1000),
    cut_off: isCutOff || undefined,
    failed: error !== null || undefined,
    // `null` without one.
    limit: isPart(result) ? limit : undefined,
  }
  return encodeRecord(head, exactJson({ response, error }))
}
