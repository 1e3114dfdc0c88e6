/** Private files: directory modes, a lock, and atomic replacement. The only import site of proper-lockfile. */

import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorMessage, FailedError, SynError } from '../errors.ts'

/** In milliseconds. An older lock was left by a run that was killed: a change takes a few milliseconds. */
const staleLockAge = 5000

/**
 * Creates a directory with mode 0700, or sets the mode of an existing one.
 * @throws FailedError when it cannot be written.
 */
export function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

function writeFailure(path: string, error: unknown): SynError {
  if (error instanceof SynError) return error
  return new FailedError(`cannot write ${path}: ${errorMessage(error)}`)
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
