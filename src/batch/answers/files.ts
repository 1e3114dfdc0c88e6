/** The files of a run with `--output`: the results, and what is written beside them. */

import { lstatSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { FailedError, reasonOf, UsageError } from '../../errors.ts'
import { findReplaceableFile, linkDestination } from '../../io/files/output.ts'
import { readStart } from '../../io/files/regular-file.ts'
import { isSameFile, statsOf } from '../../io/files/stats.ts'

export type BatchFiles = Readonly<ReturnType<typeof filesOf>>

/** In bytes: the longest name that most file systems allow. */
const maxNameLength = 255

/** How each row starts, in the results and the errors. */
export const rowStart = '{"id":"batch_req_'

/** How a store starts: the line of a run follows an empty one, so that stores can be joined whatever their last line is. */
const storeStart = '\n{"sum":"'

/** The files of a run, of which none need exist. @param path As given with `--output`. @throws FailedError */
export async function findBatchFiles(path: string): Promise<BatchFiles> {
  const output = await linkDestination(path)
  try {
    return filesOf(output, statSync(output, { throwIfNoEntry: false }))
  } catch (error) {
    throw new FailedError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/**
 * Checks that the results can be written, before anything is sent.
 * @param path As given with `--output`.
 * @param input As given; `-` is standard input.
 * @throws UsageError also if a file that the run would write is its input, or is of somebody else.
 */
export async function checkBatchFiles(path: string, input = '-'): Promise<BatchFiles> {
  const file = await findReplaceableFile(path)
  const files = filesOf(file.path, file.stats)
  const { errors, answers, spool } = files
  const temporary = renamed.map((name) => temporaryPath(files, name))
  const written = [errors, answers, ...temporary]
  if (written.some((one) => Buffer.byteLength(basename(one)) > maxNameLength)) {
    throw new UsageError(`--output: the file name is too long: ${path}`)
  }
  const hasStore = Boolean(statsOf(answers)?.size)
  // The command that continues a run may have its spool as the input.
  checkNotRead([path, ...(hasStore ? written : [...written, spool])], input === '-' ? undefined : statsOf(input))
  checkOurs(errors, rowStart)
  checkOurs(answers, storeStart)
  // These are made beside a store only: without it, they are of another program.
  for (const one of [...temporary, spool]) checkOurs(one, hasStore ? '' : undefined)
  return files
}

/** @throws UsageError if one of the files that are written is the input. */
function checkNotRead(written: readonly string[], input: Stats | undefined): void {
  for (const path of written) {
    const stats = statsOf(path)
    if (stats && input && isSameFile(stats, input)) throw new UsageError(`--output: ${path} is the input`)
  }
}

/** Describes the results and the errors: another text if another program has changed or made one since. */
export function stateOfFiles({ output, errors }: BatchFiles): string {
  const stats = [output, errors].map(statsOf)
  return JSON.stringify(stats.map((one) => one && [one.ino, one.size, one.mtimeMs]))
}

/** The files that are written whole, and then renamed. */
export const renamed = ['output', 'errors'] as const

export type RenamedFile = (typeof renamed)[number]

/** The path of a file until it is whole. The lock keeps other runs from it. */
export function temporaryPath({ output }: BatchFiles, name: RenamedFile): string {
  return `${output}.partial-${name}`
}

/** @param start Of those of syn batch; `undefined` if none can be there. @throws UsageError for another file or a link; FailedError */
function checkOurs(path: string, start: string | undefined): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // The copy may be torn.
  if (!stats || (stats.isFile() && start?.startsWith(readStart(path, start.length) ?? ''))) return
  throw new UsageError(`${path} exists and is not of a run of syn batch`, {
    hint: 'move it, or choose another --output',
  })
}

function filesOf(output: string, stats: Stats | undefined) {
  return {
    /** The results, where the path leads through symbolic links. They exist only when they are whole. */
    output,
    /** The rows without a result. */
    errors: errorsOf(output),
    /** The store: all answers, of all runs. */
    answers: `${output}.answers`,
    /** The copy of standard input. */
    spool: `${output}.partial-input`,
    /** The mode of new results: that of the results if they exist. */
    mode: stats && stats.mode & 0o777,
  }
}

/**
 * No two outputs share their errors: out.jsonl has out.errors.jsonl, out.csv has out.csv.errors.jsonl, and so has
 * out.csv.jsonl a name of its own. Any other name, such as out, has out.errors.
 */
function errorsOf(output: string): string {
  if (/\.(csv|tsv|txt|ndjson)(\.jsonl)?$/.test(output)) return `${output}.errors.jsonl`
  return output.endsWith('.jsonl') ? `${output.slice(0, -'.jsonl'.length)}.errors.jsonl` : `${output}.errors`
}
