/** What an answer is written to: standard output, or the file that `--output` names. */

import { constants, promises, type Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isSystemError, SynError, UsageError, withAddedHint, writeReasonOf } from '../../errors.ts'
import type { Io, Sink } from '../io.ts'
import { onOneLine } from './files.ts'
import { readCache, writeCache } from './cache.ts'
import { NewFile, writeAll, writeFailure } from './regular-file.ts'
import { descriptorOf, isDamagedName, maxLinks, statsOf } from './stats.ts'
import { pause } from '../time/time.ts'

export type OutputTarget = Sink & {
  /** Call when the answer is complete. */
  commit(): Promise<void>
  /** Call when the answer is incomplete. @returns the file that the part received is kept in, if any. */
  keepPartial(): Promise<string | undefined>
}

/**
 * @param path As given with `--output`; `-` is standard output, and so is `/dev/stdout`.
 * @throws UsageError when the file cannot be written, or was read as input; called before anything is sent.
 */
export async function openTarget(path: string | undefined, io: Io, name = '--output'): Promise<OutputTarget> {
  const stream = standardStream(path)
  if (path === undefined || stream) return { ...io[stream ?? 'out'], commit: noop, keepPartial: noop }
  const existing = await existingTarget(path, name)
  // A device or a pipe must be written in place: a rename would replace it by a file.
  if (existing && !existing.isFile()) return inPlaceTarget(path, { isPipe: existing.isFIFO(), signal: io.signal })
  if (existing && io.inputBudget.hasRead(existing)) {
    throw new UsageError(`${name}: ${path} is the input, which would be lost`, { hint: 'write to another file' })
  }
  const descriptor = descriptorOf(path)
  if (descriptor !== undefined) return inPlaceTarget(path, { descriptor, signal: io.signal })
  return replacedTarget(await writableFile(path, existing, name), existing?.mode, io)
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

/** Completes an open target when all is written. @throws as `withTarget`. */
export async function complete<Result>(target: OutputTarget, write: () => Promise<Result>): Promise<Result> {
  try {
    const result = await write()
    await target.commit()
    return result
  } catch (error) {
    throw await withPartialFile(error, target)
  }
}

/**
 * Finds the file for output that other files are written beside.
 * @returns where the path leads through symbolic links, and the file to be replaced, if there is one.
 * @throws UsageError also for a standard stream, a device or a pipe.
 */
export async function findReplaceableFile(path: string): Promise<{ path: string; stats: Stats | undefined }> {
  const name = '--output'
  const isStream = standardStream(path) !== undefined
  const stats = isStream ? undefined : await existingTarget(path, name)
  if (isStream || (stats && !stats.isFile()) || descriptorOf(path) !== undefined) {
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

/** The file that a path leads to through symbolic links; it need not exist. One of the links if they lead to each other. */
export async function linkDestination(path: string, links = maxLinks): Promise<string> {
  const link = links === 0 ? undefined : await promises.readlink(path).catch(() => undefined)
  return link === undefined ? path : linkDestination(resolve(await promises.realpath(dirname(path)), link), links - 1)
}

function noop(): Promise<undefined> {
  return Promise.resolve(undefined)
}

async function existingTarget(path: string, name: string): Promise<Stats | undefined> {
  if (path === '') throw new UsageError(`${name}: the path is empty`)
  let stats: Stats
  try {
    stats = await promises.stat(path)
  } catch (error) {
    if (isDamagedName(path)) throw new UsageError(`${name}: ${onOneLine(path)}: the name is not UTF-8`)
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw notWritable(path, error, name)
  }
  if (stats.isDirectory()) throw new UsageError(`${name}: ${path} is a directory`)
  return stats
}

/** @param find Finds the file to replace, or its directory: a deleted working directory is found only as `.`. */
async function assertWritable(find: () => string | Promise<string>, path: string, name: string): Promise<void> {
  try {
    await promises.access(await find(), constants.W_OK)
  } catch (error) {
    throw notWritable(path, error, name)
  }
}

function notWritable(path: string, error: unknown, name: string): UsageError {
  return new UsageError(`${name}: cannot write ${path}: ${writeReasonOf(error)}`)
}

/** Without waiting for the reader of a pipe, or for a device: a blocked thread would keep the process alive after a signal. */
const openFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0)

/** A pipe or a device, written in place, and opened at the first write: a run that gets no answer changes nothing. */
function inPlaceTarget(
  path: string,
  { isPipe, descriptor, signal }: { isPipe?: boolean; descriptor?: number; signal: AbortSignal },
): OutputTarget {
  let opened: FileHandle | undefined
  // Nobody reads the pipe yet. For other files this error is permanent.
  const open = (): Promise<FileHandle> => retried(isPipe ? 'ENXIO' : '', signal, () => promises.open(path, openFlags))
  const write = async (text: string | Uint8Array): Promise<void> => {
    try {
      const file = descriptor ?? (opened ??= await open()).fd
      await writeAll(file, Buffer.from(text), (part) => retried('EAGAIN', signal, part))
    } catch (error) {
      throw writeFailure(path, error)
    }
  }
  const close = async (): Promise<undefined> => {
    await opened?.close()
    opened = undefined
  }
  const commit = async (): Promise<void> => {
    await write('')
    await close()
  }
  return { isTerminal: false, columns: () => 80, write, commit, keepPartial: close }
}

/** Node cannot wait for such a file, so it is tried again. @throws the signal's reason. */
async function retried<Result>(code: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
    try {
      return await work()
    } catch (error) {
      if (!isSystemError(error) || error.code !== code) throw error
    }
    await pause(wait, { signal })
  }
}

/** A file that is either unchanged or complete. */
function replacedTarget(path: string, mode: number | undefined, io: Io): OutputTarget {
  const file = new NewFile(path, { mode })
  return {
    isTerminal: false,
    columns: () => 80,
    write: (text) => file.write(Buffer.from(text)),
    async commit() {
      // After a power failure, the file must not be empty: an answer cannot be had again.
      await file.finish(true)
      await file.rename()
      await removePartials(file, io)
    },
    keepPartial: () => keepPartial(file, io),
  }
}

function partialName(file: NewFile, number: number): string {
  return `${file.target}.partial${number === 1 ? '' : `-${number}`}`
}

/** What tells a partial file of syn from one of the user, and from one that was changed since. */
function traceOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

/** Removes what earlier runs kept of this output, now that it is whole. */
async function removePartials(file: NewFile, io: Io): Promise<void> {
  for (let number = 1; ; number++) {
    const path = partialName(file, number)
    const stats = statsOf(path)
    if (!stats) return
    const isOwn = readCache('partial', resolve(path), io)?.value === traceOf(stats)
    if (isOwn) await promises.unlink(path).catch(noop)
  }
}

/** Uses the first free name, so that it keeps what an earlier run left. */
async function keepPartial(file: NewFile, io: Io): Promise<string | undefined> {
  file.close()
  if (!statsOf(file.path)?.size) {
    file.discard()
    return undefined
  }
  for (let number = 1; ; number++) {
    const partialFile = partialName(file, number)
    try {
      // Unlike a rename, a link never replaces a file.
      await promises.link(file.path, partialFile)
      await promises.unlink(file.path)
      const stats = statsOf(partialFile)
      if (stats) await writeCache('partial', resolve(partialFile), traceOf(stats), io)
      return partialFile
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'EEXIST') return file.path
    }
  }
}

/** Keeps the part received. @returns the error, with a hint that names the file. */
export async function withPartialFile(error: unknown, target: OutputTarget): Promise<unknown> {
  const file = await target.keepPartial()
  if (file === undefined || !(error instanceof SynError)) return error
  return withAddedHint(error, `the output so far is kept in ${file}`)
}
