/** The files of a run with `--output`: the results, and what is written beside them. */

import { lstatSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { FailedError, reasonOf, UsageError } from '../../errors.ts'
import { findReplaceableFile, linkDestination } from '../../io/files/output.ts'
import { readStart } from '../../io/files/regular-file.ts'
import { isSameFile, statsOf } from '../../io/files/stats.ts'

export interface BatchFiles {
  /** The results, where the path leads through symbolic links. They exist only when they are whole. */
  readonly output: string
  /** The rows without a result. */
  readonly errors: string
  readonly journal: string
  /** Of the results: the settings of their run, which rows they are, and their size and hash. */
  readonly identity: string
  /** The copy of standard input. */
  readonly spool: string
  /** The mode of new files: that of the results if they exist. */
  readonly mode: number | undefined
}

/** A file that is read: what it is, and its path. */
export type InputFile = readonly [name: string, path: string]

/** In bytes: the longest name that most file systems allow. */
const maxNameLength = 255

/** How each row starts, in the results and the errors. */
export const rowStart = '{"id":"batch_req_'

/** How each manifest starts, and so a journal and an identity. */
export const journalStart = '{"syn":"'

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
 * @param hasIds Whether the results are rows in the shape of OpenAI's, which are known by their start.
 * @param inputs What the run reads, if it is files.
 * @throws UsageError also if a file that the run would write is one that it reads, or is of somebody else.
 */
export async function checkBatchFiles(
  path: string,
  hasIds = false,
  inputs: readonly InputFile[] = [],
): Promise<BatchFiles> {
  const file = await findReplaceableFile(path)
  const files = filesOf(file.path, file.stats)
  const { errors, journal, identity, spool } = files
  const written = [errors, journal, identity, ...renamed.map((name) => temporaryPath(files, name))]
  if (written.some((one) => Buffer.byteLength(basename(one)) > maxNameLength)) {
    throw new UsageError(`--output: the file name is too long: ${path}`)
  }
  const hasJournal = Boolean(statsOf(journal)?.size)
  // The command that continues a run has its spool as the input.
  checkNotRead(path, hasJournal ? written : [...written, spool], inputs)
  checkOurs(errors, rowStart)
  checkOurs(identity, journalStart)
  // The journal is made before these and removed after them: without it, they are of another program.
  for (const name of renamed)
    checkOurs(temporaryPath(files, name), hasJournal || name === 'journal' ? starts[name] : undefined)
  checkOurs(spool, hasJournal ? '' : undefined)
  // With a journal, the results may be of a run in another format.
  if (hasIds && !hasJournal) checkOurs(file.path, rowStart)
  return files
}

/**
 * @param output As given with `--output`.
 * @param written Files that are written beside it.
 * @throws UsageError if one of these is also read.
 */
export function checkNotRead(output: string, written: readonly string[], inputs: readonly InputFile[]): void {
  const stats = [output, ...written].map(statsOf)
  for (const [name, path] of inputs) {
    const input = statsOf(path)
    const found = stats.findIndex((one) => one && input && isSameFile(one, input))
    if (found === -1) continue
    throw new UsageError(
      found === 0 ? `--output: ${output} is ${name}` : `--output: ${output} would replace ${name}, ${path}`,
    )
  }
}

/** Of the results and the errors: another text if another program has changed or made one since. */
export function stateOfFiles({ output, errors }: BatchFiles): string {
  const stats = [output, errors].map(statsOf)
  return JSON.stringify(stats.map((one) => one && [one.ino, one.size, one.mtimeMs]))
}

/** The files that are written whole, and then renamed. */
export const renamed = ['output', 'errors', 'identity', 'journal'] as const

export type RenamedFile = (typeof renamed)[number]

/** How each starts. The results have any format. */
const starts = { output: '', errors: rowStart, identity: journalStart, journal: journalStart } as const

/** Where a file is until it is whole. The lock keeps other runs from it. */
export function temporaryPath({ output }: BatchFiles, name: RenamedFile): string {
  return `${output}.partial-${name}`
}

/** Where an identity may be: a run that was killed between the renames of OUT and of it has left it under its other name. */
export function identityPaths(files: BatchFiles): string[] {
  return [files.identity, temporaryPath(files, 'identity')]
}

/** @param start Of those of syn batch; `undefined` if none can be there. @throws UsageError for another file or a link; FailedError */
function checkOurs(path: string, start: string | undefined): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // It may be torn.
  if (!stats || (stats.isFile() && start?.startsWith(readStart(path, start.length) ?? ''))) return
  throw new UsageError(`${path} exists and is not of a run of syn batch`, {
    hint: 'move it, or choose another --output',
  })
}

/** All names but those of the errors and the identity start with `OUT.partial`. */
function filesOf(output: string, stats: Stats | undefined): BatchFiles {
  return {
    output,
    errors: errorsOf(output),
    journal: `${output}.partial`,
    identity: `${output}.identity`,
    spool: `${output}.partial-input`,
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
