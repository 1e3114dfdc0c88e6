/** The files of a run with `--output`: the results, and what is written beside them. */

import { type Stats, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { FailedError, UsageError } from '../errors.ts'
import { findReplaceableFile, linkDestination } from '../io/output.ts'
import { holdLock } from '../io/private.ts'

export interface BatchFiles {
  /** The results, where the path leads through symbolic links. They exist only when they are whole. */
  readonly output: string
  /** The rows without a result. */
  readonly errors: string
  readonly journal: string
  /** The copy of standard input. */
  readonly spool: string
  /** What the results and the errors are written to before they are renamed. The lock keeps other runs from them. */
  readonly newOutput: string
  readonly newErrors: string
  /** The mode of new files: that of the results if they exist. */
  readonly mode: number | undefined
}

/** In bytes: the longest name that most file systems allow. */
const maxNameLength = 255

/** The files of a run, of which none need exist. @param path As given with `--output`. */
export async function findBatchFiles(path: string): Promise<BatchFiles> {
  const output = await linkDestination(path)
  return filesOf(output, statSync(output, { throwIfNoEntry: false }))
}

/**
 * Checks that the results can be written, before anything is sent.
 * @param path As given with `--output`.
 * @param input The path of the input, if it is a file.
 * @throws UsageError
 */
export async function checkBatchFiles(path: string, input?: string): Promise<BatchFiles> {
  const file = await findReplaceableFile(path)
  const files = filesOf(file.path, file.stats)
  if (Buffer.byteLength(basename(files.newErrors)) > maxNameLength) {
    throw new UsageError(`--output: the file name is too long: ${path}`)
  }
  const inputStats = input === undefined ? undefined : statSync(input, { throwIfNoEntry: false })
  if (file.stats && inputStats && isSameFile(file.stats, inputStats)) {
    throw new UsageError(`--output: ${path} is the input`)
  }
  return files
}

/**
 * Keeps other runs from writing the files.
 * @param onLost Called when another run may write them, as after the machine slept.
 * @returns a function that releases the lock, and never throws.
 * @throws FailedError when another run holds it.
 */
export function lockBatchFiles(
  { output }: BatchFiles,
  onLost: (error: FailedError) => void,
): Promise<() => Promise<void>> {
  return holdLock(output, onLost)
}

function filesOf(output: string, stats: Stats | undefined): BatchFiles {
  const errors = `${output.slice(0, output.length - extname(output).length)}.errors.jsonl`
  return {
    output,
    errors,
    journal: `${output}.partial`,
    spool: `${output}.input`,
    newOutput: `${output}.new`,
    newErrors: `${errors}.new`,
    mode: stats && stats.mode & 0o777,
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}
