/** The bytes of the input: a file that can be read several times, or a pipe that can be read once. */

import { closeSync, fstatSync, openSync, read, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { UsageError } from '../../errors.ts'
import { cannotRead, inputChunks, isRegularFile, standardInputChunks, type InputIo } from '../../io/files/files.ts'
import { NewFile, openRegularFile } from '../../io/files/regular-file.ts'

/** A file, which each pass reads from its start, or a pipe, which can be read once. */
export interface Source {
  /** The document, for errors: the path, or `standard input`. */
  readonly where: string
  /** Whether it can be read more than once. */
  readonly isRepeatable: boolean
  /** @throws UsageError if it cannot be read, or has changed since it was opened; the signal's reason. */
  chunks(): AsyncIterable<Uint8Array>
  /** Gives a copy of what can be read only once its name, in place of an older one. @throws FailedError */
  readonly keepCopy?: (() => Promise<void>) | undefined
  /** Closes the document, and removes a copy that is not kept. */
  close(): void
}

/** A stream would close the file at its end. */
const readAt = promisify(read)

/** In bytes. */
const chunkSize = 64 * 1024

/** Name of the argument, for errors. */
const argument = 'INPUT'

/**
 * @param path `undefined` and `-` are standard input.
 * @param spool Where to keep what can be read only once, so that it can be read again.
 * @throws UsageError if there is no input, or it cannot be read; FailedError if the spool cannot be written.
 */
export async function openSource(path: string | undefined, spool: string | undefined, io: InputIo): Promise<Source> {
  if (path !== undefined && path !== '-') {
    if (path === '') throw new UsageError(`${argument}: the path is empty`)
    // Before anything is written to the spool.
    const isDirectory = readable(path, () => statSync(path)).isDirectory()
    if (isDirectory) throw new UsageError(`cannot read ${path}: is a directory`)
    if (isRegularFile(path)) {
      const file = readable(path, () => openRegularFile(path))
      return { where: path, isRepeatable: true, chunks: passesOf(file, path, io), close: () => closeSync(file) }
    }
  }
  const pipe = openPipe(path, io)
  return spool === undefined ? pipe : copied(pipe, spool, io)
}

function openPipe(path: string | undefined, io: InputIo): Source {
  if (path === undefined && (io.in.kind === 'terminal' || io.in.kind === 'none')) {
    throw new UsageError('no input: name a file, or pipe it in', {
      hint: "for example: syn batch reviews.csv -t 'Sentiment of: {{text}}' -o out.jsonl",
    })
  }
  const chunks = path === undefined ? standardInputChunks(argument, io) : inputChunks(path, argument, io)
  const where = path === undefined || path === '-' ? 'standard input' : path
  let isRead = false
  // An open pipe would keep the process alive.
  const close = (): void => void chunks.return()
  const pass = (): typeof chunks => {
    // Its end would look like an empty input.
    if (isRead) throw new UsageError(`${where} can be read only once: name a file`)
    isRead = true
    return chunks
  }
  return { where, isRepeatable: false, chunks: pass, close }
}

/** @param file Open for reading: all passes read this file, also when another one has taken its name. */
function passesOf(file: number, where: string, { signal }: InputIo): () => AsyncIterable<Uint8Array> {
  const opened = fstatSync(file, { bigint: true })
  return async function* () {
    for (let position = 0; ;) {
      signal.throwIfAborted()
      const chunk = Buffer.allocUnsafeSlow(chunkSize)
      const { bytesRead } = await readAt(file, chunk, 0, chunkSize, position).catch((error: unknown) => {
        throw new UsageError(cannotRead(where, error))
      })
      const { size, mtimeNs } = fstatSync(file, { bigint: true })
      // What was checked before is not what is read now.
      if (size !== opened.size || mtimeNs !== opened.mtimeNs) {
        throw new UsageError(`${where}: changed while it was read`, { hint: 'run the same command again' })
      }
      if (bytesRead === 0) return
      position += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
  }
}

/** Copies a pipe to a file that only the user can read, and reads that. */
async function copied(pipe: Source, path: string, io: InputIo): Promise<Source> {
  // An older copy stays until this one takes its name.
  const copy = new NewFile(path, { mode: 0o600 })
  try {
    for await (const chunk of pipe.chunks()) await copy.write(chunk)
    await copy.finish(false)
    const { where } = pipe
    const file = readable(copy.path, () => openSync(copy.path, 'r'))
    const close = (): void => {
      closeSync(file)
      copy.discard()
    }
    const keepCopy = (): Promise<void> => copy.rename()
    return { where, isRepeatable: true, chunks: passesOf(file, where, io), keepCopy, close }
  } catch (error) {
    copy.discard()
    throw error
  }
}

/** @throws UsageError instead of a system error. */
function readable<Result>(path: string, open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    throw new UsageError(cannotRead(path, error))
  }
}
