/** Private files: directory modes, a lock, and atomic replacement. The only import site of proper-lockfile. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  promises,
  readFileSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { FailedError, isSystemError, reasonOf, SynError } from '../errors.ts'
import { randomSuffix } from './random.ts'
import { shellWord } from './shell-word.ts'

/** In milliseconds. An older lock was left by a run that was killed: a change takes a few milliseconds. */
const staleLockAge = 5000

/** In bytes: a longer text fits neither in a request nor, from 512 MiB, in a string. */
const maxFileSize = 256 * 1024 * 1024

/**
 * Reads a file of this program. Only a regular file is read: a named pipe would block the process, signals included.
 * @throws system errors; FailedError for anything but a file, and for one that is too large.
 */
export function readOwnFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new FailedError(stats.isDirectory() ? 'is a directory' : 'not a regular file')
    if (stats.size > maxFileSize) throw new FailedError(`larger than ${maxFileSize / 1024 / 1024} MiB`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * How other users can access a file that they should not.
 * @param bits The permissions that matter, as in a mode.
 * @returns `undefined` if they cannot, on Windows, and without a file; else what they can do and the command that ends it.
 */
export function accessByOthers(
  path: string,
  bits: number,
  platform: NodeJS.Platform,
): { verb: 'read' | 'change'; remedy: string } | undefined {
  const mode = platform === 'win32' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & bits
  if (mode === 0) return undefined
  return { verb: (mode & 0o044) === 0 ? 'change' : 'read', remedy: `chmod 600 ${shellWord(path)}` }
}

/**
 * Creates a directory and its parents with mode 0700, unless it exists. Not with `recursive`: Node 20 tries forever where an
 * existing directory takes no new one, as in /proc.
 * @throws system errors; Error for a file in its place.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another run may have created it meanwhile.
    if (isFolder(folder)) return
    const isFile = isSystemError(error) && error.code === 'EEXIST'
    throw isFile ? new Error(`${folder} is not a directory`, { cause: error }) : error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * Creates a directory with mode 0700, or sets the mode of an existing one.
 * @throws FailedError when it cannot be written.
 */
export function makePrivate(folder: string): void {
  try {
    makeFolder(folder)
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
    // Checked here, because proper-lockfile reports a missing permission as a lock held by another run.
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

/**
 * Runs `work` while holding the lock on a path, which need not exist.
 * @throws FailedError when the directory or the file cannot be written, or another run keeps the lock.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  makePrivate(dirname(path))
  const release = await acquireLock(path)
  try {
    return await work()
  } catch (error) {
    throw writeFailure(path, error)
  } finally {
    await release()
  }
}

/**
 * Writes a temporary file of mode 0600 and renames it, so that readers see either the old file or the complete new one.
 * The temporary name is random: another run may be replacing the same file.
 * @throws the system's error, after removing the temporary file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomSuffix()}`
  try {
    await promises.writeFile(temporary, text, { mode: 0o600 })
    await promises.rename(temporary, path)
  } catch (error) {
    await promises.rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

function writeFailure(path: string, error: unknown): SynError {
  if (error instanceof SynError) return error
  return new FailedError(`cannot write ${path}: ${reasonOf(error)}`)
}

async function acquireLock(path: string): Promise<() => Promise<void>> {
  // Bundled CommonJS has a default export only.
  const { default: lockfile } = await import('proper-lockfile')
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: staleLockAge,
      retries: { retries: 120, factor: 1, minTimeout: 50, maxTimeout: 100, randomize: true },
      // Called when the machine slept while the lock was held. Writes are atomic anyway.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw writeFailure(path, error)
    throw new FailedError(`${path} is locked by another syn process`, {
      hint: `if none is running, remove the directory ${path}.lock`,
    })
  }
}
