/** Private files: directory modes and reading; locks, also beside files of the user. The only import site of proper-lockfile. */

import * as fs from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { defer } from '../defer.ts'
import { FailedError, isSystemError, reasonOf, UsageError } from '../../errors.ts'
import type { Io } from '../io.ts'
import { homeDirectory } from './directories.ts'
import { openRegularFile, writeFailure } from './regular-file.ts'
import { statsOf } from './stats.ts'
import { shellWord } from '../text/shell-word.ts'
import { pause } from '../time/time.ts'

/** In milliseconds. An older lock was left by a run that was killed: a change takes a few milliseconds. */
const staleLockAge = 5000

/** How often a lock is tried: for longer than `staleLockAge`. */
const longTries = 85

/** In bytes: a longer text fits neither in a request nor, from 512 MiB, in a string. */
const maxFileSize = 256 * 1024 * 1024

/** The content of a file of this program. @param maxSize In bytes. @throws as `withOwnFile`. */
export function readOwnFile(path: string, maxSize?: number): Buffer {
  return withOwnFile(path, (file) => fs.readFileSync(file), maxSize)
}

/** Opens a file of this program to read it. @throws as `openRegularFile`; FailedError for one that is too large. */
export function withOwnFile<Result>(
  path: string,
  read: (file: number, stats: fs.Stats) => Result,
  maxSize = maxFileSize,
): Result {
  const file = openRegularFile(path)
  using _file = defer(() => fs.closeSync(file))
  const stats = fs.fstatSync(file)
  if (stats.size > maxSize) throw new FailedError(`larger than ${maxSize / 1024 / 1024} MiB`)
  return read(file, stats)
}

/**
 * Who runs the program, for `otherWriter`. The home folder is taken as it is: who can change that can change what a shell runs,
 * and above it, as in a user namespace or on Android, folders may belong to anybody.
 */
export interface Owner {
  /** `undefined` where files have no owner, as on Windows. */
  readonly user: number | undefined
  readonly home: string
}

/** The user of this run, and the home folder. */
export function ownerOf({ user, env }: Pick<Io, 'user' | 'env'>): Owner {
  return { user, home: homeDirectory(env) }
}

/**
 * @param opened The file, if it was opened before: the path may have led elsewhere then.
 * @throws UsageError if a user other than root can change the file, or put another one in its place; system errors.
 */
export function checkWriters(path: string, owner: Owner, purpose: 'read' | 'write', opened?: fs.Stats): void {
  const other = otherWriter(path, opened, owner)
  if (!other) return
  const what = other.path === path ? 'it' : other.path
  const reason =
    other.uid === undefined ? `other users can change ${what}` : `${what} belongs to another user (ID ${other.uid})`
  const remedy = `${other.uid === undefined ? 'chmod go-w' : `chown ${owner.user}`} ${shellWord(other.path)}`
  // The hint names more than the remedy: some file systems, such as those of Windows in WSL, have no other modes and owners.
  throw new UsageError(`refusing to ${purpose} ${path}: ${reason}`, {
    hint: `check the file, then use ${remedy}; or set HOME or XDG_CONFIG_HOME to another folder, as sudo -H does`,
  })
}

/** Whether `checkWriters` would pass: for files that syn works without. Never throws. */
export function isOnlyOwn(path: string, io: Pick<Io, 'user' | 'env'>): boolean {
  try {
    return otherWriter(path, undefined, ownerOf(io)) === undefined
  } catch {
    return false
  }
}

/** A file, folder or link that another user can change. */
interface OtherWriter {
  readonly path: string
  /** The user ID of its owner, if that is the other user. */
  readonly uid?: number
}

/**
 * Finds what lets another user than root change a file, or put another one in its place: a folder or link on the way to it, or
 * the file itself. If nothing is found, nobody else can have changed the path before.
 */
function otherWriter(path: string, opened: fs.Stats | undefined, { user, home }: Owner): OtherWriter | undefined {
  if (user === undefined) return undefined
  const find = (at: string, stats: fs.Stats): OtherWriter | undefined => {
    if (stats.uid !== user && stats.uid !== 0) return { path: at, uid: stats.uid }
    return isWritableByOthers(stats) ? { path: at } : undefined
  }
  let names = resolve(path).split(sep)
  let folder: string = sep
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const at = join(folder, name)
    const stats = fs.lstatSync(at, { throwIfNoEntry: false })
    if (!stats) break
    const isGiven = join(resolve(home), sep).startsWith(join(at, sep))
    const found = isGiven ? undefined : find(at, stats)
    if (found) return found
    if (stats.isDirectory()) folder = at
    else if (!stats.isSymbolicLink()) break
    else {
      const target = fs.readlinkSync(at)
      names = target.split(sep).concat(names)
      if (isAbsolute(target)) folder = sep
    }
  }
  return opened && find(path, opened)
}

/**
 * In a folder with the sticky bit, nobody can replace what belongs to others. A group counts unless its ID is that of the owner:
 * then it is the owner's own, with which some distributions set the umask 002.
 */
function isWritableByOthers(stats: fs.Stats): boolean {
  if (stats.isSymbolicLink() || (stats.isDirectory() && (stats.mode & 0o1000) !== 0)) return false
  return (stats.mode & (stats.gid === stats.uid ? 0o002 : 0o022)) !== 0
}

/**
 * Creates a directory and its parents with mode 0700, unless it exists. Not with `recursive`: Node 20 tries forever where an
 * existing directory takes no new one, as in /proc.
 * @throws system errors; Error for a file in its place.
 */
export function makeFolder(folder: string): void {
  if (statsOf(folder)?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another run may have created it meanwhile.
    if (statsOf(folder)?.isDirectory()) return
    const isFile = isSystemError(error) && error.code === 'EEXIST'
    throw isFile ? new Error(`${folder} is not a directory`, { cause: error }) : error
  }
}

/**
 * Creates a directory with mode 0700, or sets the mode of an existing one.
 * @throws FailedError when it cannot be written.
 */
export function makePrivate(folder: string): void {
  try {
    makeFolder(folder)
    if ((fs.statSync(folder).mode & 0o077) !== 0) fs.chmodSync(folder, 0o700)
    // Checked here, because proper-lockfile reports a missing permission as a lock held by another run.
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

/**
 * Runs `work` while holding the lock on a path, which need not exist.
 * @param signal Ends the wait for the lock. Without it, the write is worth the whole wait.
 * @throws FailedError when the directory or the file cannot be written, or another run keeps the lock; the signal's reason.
 */
export async function withLock<Result>(
  path: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  makePrivate(dirname(path))
  // A lost lock, as after sleep, does no harm: writes are atomic.
  await using _lock = await holdLock(path, { tries: 120, signal })
  try {
    return await work()
  } catch (error) {
    throw writeFailure(path, error)
  }
}

/**
 * Takes the lock on a path for a long time, in a folder of the user, whose mode stays as it is. It waits until the lock of
 * a run that was killed is stale.
 * @param options `onLost` is called when the lock may be another run's, as after the machine slept. `signal` ends the wait.
 * `tries`: between two it waits for 50 to 100 milliseconds.
 * @returns what releases it at the end of a block, and never throws.
 * @throws FailedError when another run holds it; the signal's reason.
 */
export async function holdLock(
  path: string,
  {
    onLost,
    signal,
    tries = longTries,
  }: { onLost?: (error: FailedError) => void; signal?: AbortSignal | undefined; tries?: number } = {},
): Promise<AsyncDisposable> {
  // Bundled CommonJS has a default export only.
  const { default: lockfile } = await import('proper-lockfile')
  const onCompromised = (error: Error): void =>
    onLost?.(new FailedError(`the lock ${path}.lock was lost: ${reasonOf(error)}`))
  const options = { realpath: false, stale: staleLockAge, onCompromised }
  // No signal would end the library's own `retries`.
  const take = async (retries: number): Promise<AsyncDisposable> => {
    for (let left = retries; ; left--) {
      try {
        const release = await lockfile.lock(path, options)
        return { [Symbol.asyncDispose]: () => release().catch(() => undefined) }
      } catch (error) {
        if (left === 0) throw error
      }
      await pause(50 + 50 * Math.random(), { signal })
    }
  }
  const lock = `${path}.lock`
  const before = statsOf(lock)?.mtimeMs
  try {
    return await take(tries)
  } catch (error) {
    signal?.throwIfAborted()
    // The clock was set back since a run was killed: one that lives would have updated the time.
    if (before !== undefined && before > Date.now() && before === statsOf(lock)?.mtimeMs) {
      fs.utimesSync(lock, 0, 0)
      return take(0)
    }
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw writeFailure(path, error)
    throw new FailedError(`${path} is locked by another syn process`, {
      hint: `if none is running, remove the directory ${path}.lock`,
    })
  }
}
