/** Writes the config file: the only importer of conf and of the lock. */

import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { FailedError, SynError } from '../errors.ts'
import { readConfigFile, readDocument, type Document } from './document.ts'

/** A lock older than this was left behind by a run that was killed, in milliseconds. A change takes a few. */
const staleLock = 5000

/**
 * Reads, changes and writes the file while no other run does; what two runs change at the same time is kept of both.
 * @throws UsageError for a damaged file, which stays as it is.
 * @throws FailedError when the file can't be written.
 */
export async function changeDocument(path: string, change: (document: Document) => Document): Promise<void> {
  await withLock(path, async () => {
    await write(path, `${JSON.stringify(change(readDocument(path)), undefined, 2)}\n`)
  })
}

/**
 * Writes the file's whole text.
 * @param before What stood there when the text was made from it.
 * @throws FailedError when something else stands there by now, or the file can't be written.
 */
export async function replaceText(path: string, before: Uint8Array | undefined, text: string): Promise<void> {
  await withLock(path, async () => {
    if (Buffer.compare(readConfigFile(path) ?? Buffer.of(), before ?? Buffer.of()) !== 0) {
      throw new FailedError(`${path} was changed by another run meanwhile`)
    }
    await write(path, text)
  })
}

/** Makes our folder, or an existing one ours alone. conf would make it readable for everyone. */
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

async function withLock(path: string, work: () => Promise<void>): Promise<void> {
  makePrivate(dirname(path))
  const release = await acquireLock(path)
  try {
    await work()
  } catch (error) {
    throw writeFailure(path, error)
  } finally {
    await release()
  }
}

async function acquireLock(path: string): Promise<() => Promise<void>> {
  // Its names are no exports of their own once bundled.
  const { default: lockfile } = await import('proper-lockfile')
  try {
    return await lockfile.lock(path, {
      // The file need not exist yet.
      realpath: false,
      stale: staleLock,
      retries: { retries: 120, factor: 1, minTimeout: 50, maxTimeout: 100, randomize: true },
      // Told when the machine slept while the lock was held; the write is atomic all the same.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw writeFailure(path, error)
    throw new FailedError(`${path} is locked by another run`, {
      hint: `if none is running, remove the folder ${path}.lock`,
    })
  }
}

/** conf replaces the file in one step, and the target of a link rather than the link. */
async function write(path: string, text: string): Promise<void> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: dirname(path),
    configName: basename(path, '.json'),
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    serialize: () => text,
    // conf reads the file by itself as well, but neither strictly nor with errors fit to show.
    deserialize: () => ({}),
  })
  conf.store = {}
}

function writeFailure(path: string, error: unknown): Error {
  if (error instanceof SynError) return error
  return new FailedError(`can't write ${path}: ${error instanceof Error ? error.message : String(error)}`)
}
