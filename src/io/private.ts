/** Files that are nobody else's business, and one run at a time on them: the only importer of the lock. */

import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { FailedError, SynError } from '../errors.ts'

/** A lock older than this was left behind by a run that was killed, in milliseconds. A change takes a few. */
const staleLock = 5000

/**
 * Makes our folder, or an existing one ours alone.
 * @throws FailedError when it can't be written.
 */
export function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
    // Asked here, because the lock would take a refusal for a lock that somebody holds.
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

/**
 * Works while no other run works on the same path, which need not be there yet.
 * @throws FailedError when the folder or the file can't be written, or another run does not let go.
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

export function writeFailure(path: string, error: unknown): SynError {
  if (error instanceof SynError) return error
  return new FailedError(`can't write ${path}: ${error instanceof Error ? error.message : String(error)}`)
}

async function acquireLock(path: string): Promise<() => Promise<void>> {
  // Its names are no exports of their own once bundled.
  const { default: lockfile } = await import('proper-lockfile')
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: staleLock,
      retries: { retries: 120, factor: 1, minTimeout: 50, maxTimeout: 100, randomize: true },
      // Told when the machine slept while the lock was held; the writes are atomic all the same.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw writeFailure(path, error)
    throw new FailedError(`${path} is locked by another run`, {
      hint: `if none is running, remove the folder ${path}.lock`,
    })
  }
}
