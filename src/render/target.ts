/** Where an answer goes: standard output, or the file that `--output` names. */

import { access, constants, open, readlink, realpath, rename, stat, type FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FailedError, UsageError, isSystemError } from '../errors.ts'
import type { Io, Sink } from '../io/io.ts'

export interface Target extends Sink {
  /** The answer is whole. */
  commit(): Promise<void>
  /** The answer broke off. @returns where its part is kept, when that is a file. */
  keepPart(): Promise<string | undefined>
}

/**
 * @param path As given with `--output`; `-` is standard output.
 * @throws UsageError when the file can't be written: said before anything is sent.
 */
export async function openTarget(path: string | undefined, io: Io): Promise<Target> {
  if (path === undefined || path === '-') return { ...toSink(io.out), commit: nothing, keepPart: nothing }
  const known = await statOf(path)
  if (known?.isDirectory()) throw new UsageError(`--output: ${path} is a directory`)
  // A device or a pipe must be written in place: a rename would put a file where it was.
  if (known && !known.isFile()) return new FileTarget(path, path, undefined)
  const file = await destination(path)
  await mustBeWritable(dirname(file), path)
  return new FileTarget(`${file}.partial`, file, known?.mode)
}

/** The file that a path leads to over links, whether or not it is there yet. */
async function destination(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : destination(resolve(await realpath(dirname(path)), link))
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined)
}

function toSink(sink: Sink): Sink {
  return { isTerminal: sink.isTerminal, columns: () => sink.columns(), write: (text) => sink.write(text) }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw notWritable(path, error)
  }
}

async function mustBeWritable(folder: string, path: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    throw notWritable(path, error)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'no such directory',
  ENOTDIR: 'no such directory',
  EACCES: 'no permission to write there',
  EROFS: 'the disk is read-only',
  ELOOP: 'its links lead in circles',
}

function notWritable(path: string, error: unknown): UsageError {
  const reason = isSystemError(error) ? (reasons[error.code ?? ''] ?? error.message) : String(error)
  return new UsageError(`--output: can't write ${path}: ${reason}`)
}

/** Writes beside the file and renames at the end, so that the file is either as it was or whole. */
class FileTarget implements Target {
  readonly isTerminal = false
  readonly #partial: string
  readonly #file: string
  readonly #mode: number | undefined
  #handle: FileHandle | undefined

  constructor(partial: string, file: string, mode: number | undefined) {
    this.#partial = partial
    this.#file = file
    this.#mode = mode
  }

  columns(): number {
    return 80
  }

  async write(text: string | Uint8Array): Promise<void> {
    try {
      // Opened at the first write only: a run that gets no answer must not empty the part an earlier one left.
      this.#handle ??= await open(this.#partial, 'w', this.#mode ?? 0o666)
      await this.#handle.writeFile(text)
    } catch (error) {
      throw new FailedError(`can't write ${this.#partial}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async commit(): Promise<void> {
    await this.write('')
    await this.#close()
    if (this.#partial !== this.#file) await rename(this.#partial, this.#file)
  }

  async keepPart(): Promise<string | undefined> {
    const isKept = this.#handle !== undefined
    await this.#close()
    return isKept ? this.#partial : undefined
  }

  async #close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
  }
}
