/** Private files: folder modes, a lock, and atomic replacement. The only importer of proper-lockfile. */

import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorMessage, FailedError, SynError } from '../errors.ts'

/** A lock older than this, in milliseconds, was left by a run that was killed: a change takes a few. */
const staleLock = 5000

/**
 * Creates a folder with mode 0700, or gives an existing one that mode.
 * @throws FailedError when it can't be written.
 */
export function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
    // Checked here, because proper-lockfile takes a refusal for a lock that another run holds.
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

/**
 * Does some work while holding the lock on a path, which need not exist yet.
 * @throws FailedError when the folder or the file can't be written, or another run keeps the lock.
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
 * Writes a file of mode 0600 beside the path and renames it, so that a reader sees the old file or the whole new one. The
 * temporary name is random: another run may be replacing the same file.
 * @throws what the system reports; then nothing is left beside the path.
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
  return new FailedError(`can't write ${path}: ${errorMessage(error)}`)
}

async function acquireLock(path: string): Promise<() => Promise<void>> {
  // Bundled CommonJS has a default export only.
  const { default: lockfile } = await import('proper-lockfile')
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: staleLock,
      retries: { retries: 120, factor: 1, minTimeout: 50, maxTimeout: 100, randomize: true },
      // Called when the machine slept while the lock was held; the writes are atomic all the same.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw writeFailure(path, error)
    throw new FailedError(`${path} is locked by another run`, {
      hint: `if none is running, remove the folder ${path}.lock`,
    })
  }
}
