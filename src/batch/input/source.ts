/** The bytes of the input: a file that can be read several times, or a pipe that can be read once. */

import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, read, renameSync, rmSync, statSync, type BigIntStats } from 'node:fs'
import { promisify } from 'node:util'
import { FailedError, reasonOf, UsageError } from '../../errors.ts'
import { cannotRead, inputChunks, isRegularFile, standardInputChunks, type InputIo } from '../../io/files.ts'
import { writeWhole } from '../../io/write-whole.ts'
import { randomSuffix } from '../../io/random.ts'

/** Of a whole document. */
export interface Digest {
  /** In bytes. */
  readonly size: number
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
}

export interface Source {
  readonly where: string
  readonly isRepeatable: boolean
  /** Known when it was read to its end. */
  readonly digest: Digest | undefined
  /** @throws UsageError if it cannot be read, or has changed; the signal's reason. */
  chunks(): AsyncIterable<Uint8Array>
  /** Of a copy: gives it its name, in place of an older one. @throws FailedError */
  readonly keepCopy?: (() => void) | undefined
  /** A copy that is not kept is removed. */
  close(): void
}

/** A stream would close the file at its end. */
const readAt = promisify(read)

/** In bytes. */
const chunkSize = 64 * 1024

/** Name of the argument, for errors. */
const argument = 'INPUT'

/**
 * @param path `undefined` and `-` are standard input.
 * @param spool Where to keep what can be read only once, so that it can be read again.
 * @throws UsageError if there is no input, or it cannot be read; FailedError if the spool cannot be written.
 */
export async function openSource(path: string | undefined, spool: string | undefined, io: InputIo): Promise<Source> {
  if (path !== undefined && path !== '-') {
    checkFile(path)
    if (isRegularFile(path)) return openFile(path, io.signal)
  }
  const once = pipeSource(path, io)
  return spool === undefined ? once : spooled(once, spool, io.signal)
}

/** @throws UsageError before anything is written to the spool. */
function checkFile(path: string): void {
  if (path === '') throw new UsageError(`${argument}: the path is empty`)
  try {
    if (!statSync(path).isDirectory()) return
  } catch (error) {
    throw new UsageError(cannotRead(path, error))
  }
  throw new UsageError(`cannot read ${path}: is a directory`)
}

function openFile(path: string, signal: AbortSignal): FileSource {
  try {
    return new FileSource(openSync(path, 'r'), path, signal)
  } catch (error) {
    throw new UsageError(cannotRead(path, error))
  }
}

function pipeSource(path: string | undefined, io: InputIo): Source {
  if (path !== undefined && path !== '-') return new PipeSource(path, inputChunks(path, argument, io))
  if (path === undefined && (io.in.kind === 'terminal' || io.in.kind === 'none')) {
    throw new UsageError('no input: name a file, or pipe it in', {
      hint: "for example: syn batch reviews.csv -t 'Sentiment of: {{text}}' -o out.jsonl",
    })
  }
  const reader = path === '-' ? `${argument} -` : argument
  return new PipeSource('standard input', standardInputChunks(reader, io))
}

/** Computes the digest of a document that is read for the first time. */
class Digester {
  digest: Digest | undefined
  readonly #hash: Hash = createHash('sha256')
  #size = 0

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk)
    this.#size += chunk.length
  }

  end(): void {
    this.digest = { size: this.#size, hash: this.#hash.digest('hex') }
  }
}

class PipeSource implements Source {
  readonly where: string
  readonly isRepeatable = false
  readonly #chunks: AsyncIterable<Uint8Array>
  readonly #digester = new Digester()
  #isRead = false

  constructor(where: string, chunks: AsyncIterable<Uint8Array>) {
    this.where = where
    this.#chunks = chunks
  }

  get digest(): Digest | undefined {
    return this.#digester.digest
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    // Its end would look like an empty input.
    if (this.#isRead) throw new UsageError(`${this.where} can be read only once: name a file`)
    this.#isRead = true
    for await (const chunk of this.#chunks) {
      this.#digester.add(chunk)
      yield chunk
    }
    this.#digester.end()
  }

  close(): void {
    // Its stream is closed when reading ends.
  }
}

class FileSource implements Source {
  readonly where: string
  readonly isRepeatable = true
  digest: Digest | undefined
  readonly #file: number
  readonly #opened: BigIntStats
  readonly #signal: AbortSignal

  /** @param file Open for reading: all passes read this file, also when another one has taken its name. */
  constructor(file: number, where: string, signal: AbortSignal) {
    this.#file = file
    this.where = where
    this.#signal = signal
    this.#opened = fstatSync(file, { bigint: true })
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const digester = this.digest ? undefined : new Digester()
    for (let position = 0; ;) {
      const chunk = await this.#read(position)
      this.#checkUnchanged()
      if (chunk.length === 0) break
      digester?.add(chunk)
      position += chunk.length
      yield chunk
    }
    digester?.end()
    this.digest ??= digester?.digest
  }

  close(): void {
    closeSync(this.#file)
  }

  async #read(position: number): Promise<Uint8Array> {
    this.#signal.throwIfAborted()
    const chunk = Buffer.allocUnsafeSlow(chunkSize)
    try {
      const { bytesRead } = await readAt(this.#file, chunk, 0, chunkSize, position)
      return chunk.subarray(0, bytesRead)
    } catch (error) {
      throw new UsageError(cannotRead(this.where, error))
    }
  }

  /** @throws UsageError: what was checked before is not what is read now. */
  #checkUnchanged(): void {
    const { size, mtimeNs } = fstatSync(this.#file, { bigint: true })
    if (size !== this.#opened.size || mtimeNs !== this.#opened.mtimeNs) {
      throw new UsageError(`${this.where}: changed while it was read`, { hint: 'run the same command again' })
    }
  }
}

/** The name of a spool while it is written: an older one stays until then. Random, so that nobody else uses it. */
export function temporarySpool(path: string): string {
  return `${path}-${randomSuffix()}`
}

/** Copies a pipe to a file that only the user can read, and reads that. */
async function spooled(source: Source, path: string, signal: AbortSignal): Promise<Source> {
  const temporary = temporarySpool(path)
  const file = guarded(path, () => openSync(temporary, 'wx+', 0o600))
  try {
    for await (const chunk of source.chunks()) guarded(path, () => writeWhole(file, chunk))
    return new CopySource(file, { where: source.where, temporary, path, signal })
  } catch (error) {
    closeSync(file)
    rmSync(temporary, { force: true })
    throw error
  }
}

class CopySource extends FileSource {
  readonly keepCopy: () => void
  #isKept = false
  readonly #temporary: string

  /** @param options `path` is where the copy is kept. */
  constructor(file: number, options: { where: string; temporary: string; path: string; signal: AbortSignal }) {
    const { where, temporary, path, signal } = options
    super(file, where, signal)
    this.#temporary = temporary
    this.keepCopy = () => {
      guarded(path, () => renameSync(temporary, path))
      this.#isKept = true
    }
  }

  override close(): void {
    super.close()
    if (!this.#isKept) rmSync(this.#temporary, { force: true })
  }
}

/** @throws FailedError instead of a system error. */
function guarded<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw new FailedError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}
