/** Where an answer goes: standard output, or the file that `--output` names. */

import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import {
  access,
  constants,
  type FileHandle,
  link,
  open,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorMessage, FailedError, isSystemError, SynError, UsageError, withAddedHint } from '../errors.ts'
import type { Io, Sink } from './io.ts'

export interface OutputTarget extends Sink {
  /** The answer is whole. */
  commit(): Promise<void>
  /** The answer broke off. @returns where its part is kept, when that is a file. */
  keepPartial(): Promise<string | undefined>
}

/**
 * @param path As given with `--output`; `-` is standard output.
 * @param name What errors call the argument that it came from.
 * @throws UsageError when the file can't be written: said before anything is sent.
 */
export async function openTarget(path: string | undefined, io: Io, name = '--output'): Promise<OutputTarget> {
  if (path === '') throw new UsageError(`${name}: the path is empty`)
  if (path === undefined || path === '-') return { ...toSink(io.out), commit: nothing, keepPartial: nothing }
  const known = await statOf(path, name)
  if (known?.isDirectory()) throw new UsageError(`${name}: ${path} is a directory`)
  // A device or a pipe must be written in place: a rename would put a file where it was.
  if (known && !known.isFile()) return new WrittenFile(path)
  const file = await destination(path)
  await mustBeWritable(dirname(file), path, name)
  // A rename would not ask.
  if (known) await mustBeWritable(file, path, name)
  return new ReplacedFile(file, known?.mode)
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

async function statOf(path: string, name: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw notWritable(path, error, name)
  }
}

async function mustBeWritable(place: string, path: string, name: string): Promise<void> {
  try {
    await access(place, constants.W_OK)
  } catch (error) {
    throw notWritable(path, error, name)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'no such directory',
  ENOTDIR: 'no such directory',
  EACCES: 'no permission to write there',
  EROFS: 'the disk is read-only',
  ELOOP: 'its links lead in circles',
}

function notWritable(path: string, error: unknown, name: string): UsageError {
  const reason = isSystemError(error) ? (reasons[error.code ?? ''] ?? error.message) : String(error)
  return new UsageError(`${name}: can't write ${path}: ${reason}`)
}

/** A file opened at the first write: a run that gets no answer leaves no trace. */
class WrittenFile implements OutputTarget {
  readonly isTerminal = false
  protected readonly path: string
  /** What errors call it. */
  protected readonly shownPath: string
  readonly #mode: number | undefined
  #handle: FileHandle | undefined

  /** @param mode Of the file that it replaces. */
  constructor(path: string, mode?: number, shownPath = path) {
    this.path = path
    this.shownPath = shownPath
    this.#mode = mode
  }

  columns(): number {
    return 80
  }

  async write(text: string | Uint8Array): Promise<void> {
    await saying(this.shownPath, async () => {
      this.#handle ??= await this.#open()
      await this.#handle.writeFile(text)
    })
  }

  async commit(): Promise<void> {
    await this.write('')
    await this.close()
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.path, 'w', this.#mode)
    // What was allowed to the group or to everyone, the umask took away.
    if (this.#mode !== undefined) await handle.chmod(this.#mode).catch(() => undefined)
    return handle
  }

  async keepPartial(): Promise<string | undefined> {
    await this.close()
    return undefined
  }

  /** @returns whether anything was written. */
  protected async close(): Promise<boolean> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
    return handle !== undefined
  }
}

/**
 * Writes beside the file and renames at the end, so that the file is either as it was or whole. The name beside it is
 * this run's own: another run may be writing to the same file.
 */
class ReplacedFile extends WrittenFile {
  readonly #file: string

  constructor(file: string, mode: number | undefined) {
    super(`${file}.partial-${randomBytes(4).toString('hex')}`, mode, file)
    this.#file = file
  }

  override async commit(): Promise<void> {
    await super.commit()
    await saying(this.#file, () => rename(this.path, this.#file))
  }

  /** Under the first free name: what an earlier run left stays. */
  override async keepPartial(): Promise<string | undefined> {
    if (!(await this.close())) return undefined
    for (let number = 1; ; number++) {
      const kept = `${this.#file}.partial${number === 1 ? '' : `-${number}`}`
      try {
        // Unlike a rename, a link never replaces a file.
        await link(this.path, kept)
        await unlink(this.path)
        return kept
      } catch (error) {
        if (!isSystemError(error) || error.code !== 'EEXIST') return this.path
      }
    }
  }
}

/** What the system says, without the call and the path that Node adds: the path may be one the user never named. */
function reasonOf(error: unknown): string {
  const message = errorMessage(error)
  return message.replace(/^E[A-Z]+: /, '').replace(/, [a-z]+( '.*)?$/s, '')
}

/** @throws FailedError in place of what the system reports. */
async function saying(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new FailedError(`can't write ${path}: ${reasonOf(error)}`)
  }
}

/** @returns the error, which names the file that holds the part that had arrived. */
export async function withPartialFile(error: unknown, target: OutputTarget): Promise<unknown> {
  const file = await target.keepPartial()
  if (file === undefined || !(error instanceof SynError)) return error
  return withAddedHint(error, `what arrived is kept in ${file}`)
}
