/** Regular files: opened without waiting, created, written whole, and replaced by a new one when that is whole. */

import * as fs from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { defer } from '../defer.ts'
import { FailedError, isSystemError, reasonOf, SynError, writeReasonOf } from '../../errors.ts'
import { pause } from '../time/time.ts'

const writeTo = promisify(fs.write)
const sync = promisify(fs.fdatasync)

/**
 * Opens a file that exists. Nothing else is opened: a named pipe would block the process, signals included.
 * @throws system errors; FailedError for anything but a file.
 */
export function openRegularFile(path: string, flags: number = fs.constants.O_RDONLY): number {
  const file = fs.openSync(path, flags | (fs.constants.O_NONBLOCK ?? 0))
  const stats = fs.fstatSync(file)
  if (stats.isFile()) return file
  fs.closeSync(file)
  throw new FailedError(stats.isDirectory() ? 'is a directory' : 'not a regular file')
}

/** Opens a regular file. @returns `undefined` without the file. @throws FailedError */
export function openIfExists(path: string, flags?: number): number | undefined {
  try {
    return openRegularFile(path, flags)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** The first bytes of a file, as text. @returns `undefined` without the file. @throws FailedError */
export function readStart(path: string, size: number, encoding: BufferEncoding = 'utf8'): string | undefined {
  const file = openIfExists(path)
  if (file === undefined) return undefined
  using _file = defer(() => fs.closeSync(file))
  try {
    const bytes = Buffer.alloc(size)
    return bytes.toString(encoding, 0, fs.readSync(file, bytes, 0, size, 0))
  } catch (error) {
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/**
 * Creates a file, which must not exist, to write and to read it.
 * @param mode The mode of the file (default: by the umask).
 * @param flags `ax+` to write at its end always.
 * @throws system errors
 */
export function createFile(path: string, mode: number | undefined, flags: 'wx+' | 'ax+' = 'wx+'): number {
  const file = fs.openSync(path, flags, mode)
  // open() applies the umask to the mode, chmod() does not.
  if (mode !== undefined) setMode(file, mode)
  return file
}

/** Never throws: some file systems have no modes. */
export function setMode(file: number, mode: number): void {
  try {
    fs.fchmodSync(file, mode)
  } catch {
    // The file has the mode of its file system.
  }
}

/** Removes a file if it exists. @throws FailedError */
export function removeFile(path: string): void {
  try {
    fs.rmSync(path, { force: true })
  } catch (error) {
    throw new FailedError(`cannot remove ${path}: ${reasonOf(error)}`)
  }
}

const unsynced = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM'])

/** Windows syncs no folder, nor do some file systems, and a folder that may not be read cannot be opened for it. */
function throwUnlessUnsynced(error: unknown, path: string): void {
  if (!isSystemError(error) || !unsynced.has(error.code ?? '')) throw writeFailure(path, error)
}

/** Puts the name of a file on the disk, after a rename. @throws FailedError */
export function syncName(path: string): void {
  try {
    const folder = fs.openSync(dirname(path), 'r')
    using _folder = defer(() => fs.closeSync(folder))
    fs.fsyncSync(folder)
  } catch (error) {
    throwUnlessUnsynced(error, path)
  }
}

/** Writes all of the bytes, as `writeFileSync` does, but without blocking the process. @throws system errors */
export async function writeAll(
  descriptor: number,
  bytes: Uint8Array,
  attempt = (write: () => Promise<number>): Promise<number> => write(),
): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const start = at
    at += await attempt(async () => (await writeTo(descriptor, bytes, start)).bytesWritten)
  }
}

/** Tries for about a second what fails on Windows while a file is open elsewhere, as in a virus scanner. @throws system errors */
export async function onceClosed(work: () => void, isWindows = sep === '\\', wait = 10): Promise<void> {
  try {
    work()
  } catch (error) {
    if (!isWindows || wait > 1000) throw error
    await pause(wait)
    await onceClosed(work, isWindows, 2 * wait)
  }
}

/** What a system error means for a file that is written. @param path As it is named. */
export function writeFailure(path: string, error: unknown): SynError {
  return error instanceof SynError ? error : new FailedError(`cannot write ${path}: ${writeReasonOf(error)}`)
}

/** In characters, each of at most 4 bytes: most file systems allow names of 255 bytes. */
const maxNameStart = 59

/** The start of the file's name, which may itself be as long as the file system allows, and a random end. */
function temporaryPath(file: string): string {
  const start = basename(file).slice(0, maxNameStart)
  // The global one: node:crypto loads more of Node.
  return join(dirname(file), `${start}.partial-${crypto.randomUUID().slice(0, 8)}`)
}

/**
 * A file that replaces another when it is whole, so that the other is either unchanged or complete. Until then it has
 * another name, which is random unless a lock keeps other runs from it. It is created by the first write.
 */
export class NewFile {
  /** The file that it becomes, and where it is until then. */
  readonly target: string
  readonly path: string
  readonly #mode: number | undefined
  #file: number | undefined
  #inode: number | undefined

  /** @param options `mode`: of the file (default: by the umask). */
  constructor(
    target: string,
    { mode, path = temporaryPath(target) }: { mode?: number | undefined; path?: string } = {},
  ) {
    this.target = target
    this.path = path
    this.#mode = mode
  }

  /** Adds to it. @throws FailedError */
  write(bytes: Uint8Array): Promise<void> {
    return this.#guard(() => writeAll(this.opened(), bytes))
  }

  /** Closes it. @param isDurable Whether it is on the disk then, for what cannot be made again. @throws FailedError */
  async finish(isDurable: boolean): Promise<void> {
    await this.#guard(async () => {
      const file = this.opened()
      if (isDurable) await sync(file).catch((error: unknown) => throwUnlessUnsynced(error, this.target))
    })
    this.close()
  }

  /** Renames it to its final path, after `finish`. @throws FailedError */
  rename(): Promise<void> {
    return this.#guard(() => onceClosed(() => fs.renameSync(this.path, this.target)))
  }

  /** Removes it, unless it has its final path, or another run has put a file in its place. Never throws. */
  discard(): void {
    try {
      this.close()
      if (this.#inode !== undefined && fs.statSync(this.path).ino === this.#inode) removeFile(this.path)
    } catch {
      // The file is not there any more.
    }
  }

  [Symbol.dispose](): void {
    this.discard()
  }

  close(): void {
    if (this.#file !== undefined) fs.closeSync(this.#file)
    this.#file = undefined
  }

  /** Creates it at the first call. @throws FailedError */
  protected opened(): number {
    if (this.#file !== undefined) return this.#file
    try {
      this.#file = createFile(this.path, this.#mode)
      this.#inode = fs.fstatSync(this.#file).ino
      return this.#file
    } catch (error) {
      throw writeFailure(this.target, error)
    }
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw writeFailure(this.target, error)
    }
  }
}

/**
 * Replaces a file by a new one of mode 0600: readers see either the old one or the complete new one.
 * @param options `isDurable` for what cannot be made again: after a power failure it is not empty.
 * @throws FailedError, after removing the new file.
 */
export async function replaceFile(path: string, text: string, { isDurable = false } = {}): Promise<void> {
  using file = new NewFile(path, { mode: 0o600 })
  await file.write(Buffer.from(text))
  await file.finish(isDurable)
  await file.rename()
}
