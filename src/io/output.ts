/** Where an answer goes: standard output, or the file that `--output` names. */

import { constants, promises, type Stats, write } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { FailedError, isSystemError, reasonOf, SynError, UsageError, withAddedHint } from '../errors.ts'
import { descriptorOf, maxLinks } from './descriptor.ts'
import type { Io, PlainSink, Sink } from './io.ts'
import { randomSuffix } from './random.ts'
import { pause } from './timer.ts'

export type OutputTarget = Sink & Completion

/** Replaces bytes at the start of what was written. */
export type Overwrite = (bytes: Uint8Array) => Promise<void>

interface Completion {
  /** Not for pipes, devices and standard output. */
  readonly overwrite?: Overwrite
  /** Call when the answer is complete. */
  commit(): Promise<void>
  /** Call when the answer is incomplete. @returns the file that the part received is kept in, if any. */
  keepPartial(): Promise<string | undefined>
}

/**
 * @param path As given with `--output`; `-` is standard output, and so is `/dev/stdout`.
 * @param name The option's name in errors.
 * @throws UsageError when the file cannot be written; called before anything is sent.
 */
export async function openTarget(path: string | undefined, io: Io, name = '--output'): Promise<OutputTarget> {
  if (path === '') throw new UsageError(`${name}: the path is empty`)
  const stream = standardStream(path)
  if (path === undefined || stream) return { ...io[stream ?? 'out'], commit: noop, keepPartial: noop }
  const existing = await statIfExists(path, name)
  if (existing?.isDirectory()) throw new UsageError(`${name}: ${path} is a directory`)
  // A device or a pipe must be written in place: a rename would replace it by a file.
  if (existing && !existing.isFile()) return new InPlaceFile(path, io.signal, { isPipe: existing.isFIFO() })
  const descriptor = descriptorOf(path)
  if (descriptor !== undefined) return descriptorTarget(descriptor, path)
  return new ReplacedFile(await writableFile(path, existing, name), existing?.mode, io.signal)
}

/**
 * Opens a target, and completes it when all is written.
 * @throws what `openTarget` and `write` throw; after a part was written, with a hint that names its file.
 */
export async function withTarget<Result>(
  path: string | undefined,
  io: Io,
  write: (target: OutputTarget) => Promise<Result>,
  name?: string,
): Promise<Result> {
  const target = await openTarget(path, io, name)
  return complete(target, () => write(target))
}

/** As `withTarget`, for a target that is open. */
export async function complete<Result>(target: OutputTarget, write: () => Promise<Result>): Promise<Result> {
  try {
    const result = await write()
    await target.commit()
    return result
  } catch (error) {
    throw await withPartialFile(error, target)
  }
}

/** A file that is replaced at the end of a run. */
export interface ReplaceableFile {
  /** Where the path leads through symbolic links. */
  readonly path: string
  /** Of the file to be replaced, if there is one. */
  readonly stats: Stats | undefined
}

/**
 * As `openTarget`, for output that other files are written beside.
 * @throws UsageError also for a standard stream, a device or a pipe.
 */
export async function findReplaceableFile(path: string, name = '--output'): Promise<ReplaceableFile> {
  if (path === '') throw new UsageError(`${name}: the path is empty`)
  const stats = standardStream(path) === undefined ? await statIfExists(path, name) : undefined
  if (stats?.isDirectory()) throw new UsageError(`${name}: ${path} is a directory`)
  if (standardStream(path) !== undefined || (stats && !stats.isFile()) || descriptorOf(path) !== undefined) {
    throw new UsageError(`${name} must be a regular file: ${path}`)
  }
  return { path: await writableFile(path, stats, name), stats }
}

/** @returns the file that a path leads to through symbolic links. */
async function writableFile(path: string, existing: Stats | undefined, name: string): Promise<string> {
  const file = await linkDestination(path)
  await assertWritable(() => promises.realpath(dirname(file)), path, name)
  // A rename would ignore the file's own permissions.
  if (existing) await assertWritable(() => file, path, name)
  return file
}

/** The standard stream that a path given with `--output` names: `-` and no path, `/dev/stdout`, `/dev/fd/2`. */
export function standardStream(path: string | undefined): 'out' | 'err' | undefined {
  if (path === undefined || path === '-') return 'out'
  const descriptor = descriptorOf(path)
  return descriptor === 1 ? 'out' : descriptor === 2 ? 'err' : undefined
}

const writeToDescriptor = promisify(write)

function descriptorTarget(descriptor: number, path: string): OutputTarget {
  const write = (text: string | Uint8Array): Promise<void> =>
    withWriteErrors(path, async () => {
      const bytes = Buffer.from(text)
      for (let start = 0; start < bytes.length;) {
        start += (await writeToDescriptor(descriptor, bytes, start)).bytesWritten
      }
    })
  return { isTerminal: false, columns: () => 80, write, commit: noop, keepPartial: noop }
}

/** The file that a path leads to through symbolic links; it need not exist. One of the links if they lead to each other. */
export async function linkDestination(path: string, links = maxLinks): Promise<string> {
  const link = links === 0 ? undefined : await promises.readlink(path).catch(() => undefined)
  return link === undefined ? path : linkDestination(resolve(await promises.realpath(dirname(path)), link), links - 1)
}

function noop(): Promise<undefined> {
  return Promise.resolve(undefined)
}

async function statIfExists(path: string, name: string): Promise<Stats | undefined> {
  try {
    return await promises.stat(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw notWritable(path, error, name)
  }
}

/** @param find Finds the file to replace, or its directory: a deleted working directory is found only as `.`. */
async function assertWritable(find: () => string | Promise<string>, path: string, name: string): Promise<void> {
  try {
    await promises.access(await find(), constants.W_OK)
  } catch (error) {
    throw notWritable(path, error, name)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'no such directory',
  ENOTDIR: 'no such directory',
  EACCES: 'permission denied',
  EROFS: 'read-only file system',
  ELOOP: 'too many levels of symbolic links',
}

function notWritable(path: string, error: unknown, name: string): UsageError {
  const reason = isSystemError(error) ? reasons[error.code ?? ''] : undefined
  return new UsageError(`${name}: cannot write ${path}: ${reason ?? reasonOf(error)}`)
}

interface FileOptions {
  readonly isPipe?: boolean
  /** The mode of the file that it replaces. */
  readonly mode?: number | undefined
  /** The path in errors. */
  readonly displayPath?: string
}

/** Without waiting for the reader of a pipe, or for a device: a blocked thread would keep the process alive after a signal. */
const openFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0)

/** Written in place, and opened at the first write: a run that gets no answer changes nothing. */
class InPlaceFile implements PlainSink, Completion {
  readonly isTerminal = false as const
  protected readonly path: string
  readonly #signal: AbortSignal
  readonly #options: FileOptions
  #handle: FileHandle | undefined
  /** In bytes. */
  protected size = 0

  constructor(path: string, signal: AbortSignal, options: FileOptions) {
    this.path = path
    this.#signal = signal
    this.#options = options
  }

  columns(): number {
    return 80
  }

  readonly write = async (text: string | Uint8Array): Promise<void> => {
    const bytes = Buffer.from(text)
    await this.withHandle(async (handle) => {
      for (let start = 0; start < bytes.length;) {
        const written = await this.#retry('EAGAIN', async () => (await handle.write(bytes, start)).bytesWritten)
        start += written
        this.size += written
      }
    })
  }

  protected async withHandle(work: (handle: FileHandle) => Promise<void>): Promise<void> {
    await withWriteErrors(this.#options.displayPath ?? this.path, async () => {
      await work((this.#handle ??= await this.#open()))
    })
  }

  async commit(): Promise<void> {
    await this.write('')
    await this.close()
  }

  async #open(): Promise<FileHandle> {
    const { isPipe, mode } = this.#options
    // Nobody reads the pipe yet. For other files this error is permanent.
    const handle = await this.#retry(isPipe ? 'ENXIO' : '', () => promises.open(this.path, openFlags, mode))
    // open() applies the umask to the mode, chmod() does not.
    if (mode !== undefined) await handle.chmod(mode).catch(() => undefined)
    return handle
  }

  /** Node cannot wait for such a file, so it is tried again. @throws the signal's reason. */
  async #retry<Result>(code: string, work: () => Promise<Result>): Promise<Result> {
    for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
      try {
        return await work()
      } catch (error) {
        if (!isSystemError(error) || error.code !== code) throw error
      }
      await pause(wait, { signal: this.#signal })
    }
  }

  async keepPartial(): Promise<string | undefined> {
    await this.close()
    return undefined
  }

  /** @returns whether it was open. */
  protected async close(): Promise<boolean> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
    return handle !== undefined
  }
}

/** @param number Counts from 1. */
function partialPath(file: string, number: number): string {
  return `${file}.partial${number === 1 ? '' : `-${number}`}`
}

/** In characters, each of at most 4 bytes: most file systems allow names of 255 bytes. */
const maxNameStart = 59

/** The start of the file's name, which may itself be as long as the file system allows, and a random end. */
function temporaryPath(file: string): string {
  const start = basename(file).slice(0, maxNameStart)
  return join(dirname(file), `${start}.partial-${randomSuffix()}`)
}

/**
 * Writes a file next to the target and renames it at the end, so that the target is either unchanged or complete. The
 * temporary name is random: another run may be writing to the same target.
 */
class ReplacedFile extends InPlaceFile {
  readonly #file: string
  readonly #isReplacing: boolean

  /** @param mode Of the file that it replaces, if there is one. */
  constructor(file: string, mode: number | undefined, signal: AbortSignal) {
    super(temporaryPath(file), signal, { mode, displayPath: file })
    this.#file = file
    this.#isReplacing = mode !== undefined
  }

  readonly overwrite: Overwrite = (bytes) => {
    return this.withHandle(async (handle) => void (await handle.write(bytes, 0, bytes.length, 0)))
  }

  override async commit(): Promise<void> {
    // After a power failure, the file must not be empty in place of the one that it replaced.
    if (this.#isReplacing) await this.withHandle((handle) => handle.datasync())
    await super.commit()
    await withWriteErrors(this.#file, () => promises.rename(this.path, this.#file))
    await this.#removePartials()
  }

  /** Those that earlier runs left: this answer takes their place. */
  async #removePartials(): Promise<void> {
    for (let number = 1; ; number++) {
      try {
        await promises.unlink(partialPath(this.#file, number))
      } catch {
        return
      }
    }
  }

  /** Uses the first free name, so that it keeps what an earlier run left. */
  override async keepPartial(): Promise<string | undefined> {
    if (!(await this.close())) return undefined
    if (this.size === 0) {
      await promises.unlink(this.path).catch(() => undefined)
      return undefined
    }
    for (let number = 1; ; number++) {
      const partialFile = partialPath(this.#file, number)
      try {
        // Unlike a rename, a link never replaces a file.
        await promises.link(this.path, partialFile)
        await promises.unlink(this.path)
        return partialFile
      } catch (error) {
        if (!isSystemError(error) || error.code !== 'EEXIST') return this.path
      }
    }
  }
}

/** @throws FailedError instead of a system error. */
async function withWriteErrors(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SynError) throw error
    throw new FailedError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}

/** Keeps the part received. @returns the error, with a hint that names the file. */
export async function withPartialFile(error: unknown, target: OutputTarget): Promise<unknown> {
  const file = await target.keepPartial()
  if (file === undefined || !(error instanceof SynError)) return error
  return withAddedHint(error, `the output so far is kept in ${file}`)
}
