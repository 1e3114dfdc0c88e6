/** Reading files that the user names. */

import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { errorMessage, UsageError, isSystemError } from '../errors.ts'
import type { Io } from './io.ts'

const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'no permission to read it',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
}

/** In bytes: a JavaScript string can't hold more. */
const longest = 512 * 1024 * 1024

/**
 * Reads a file, or a pipe to its end.
 * @param flag The argument that the path came from, for errors.
 * @throws UsageError when it can't be read; the signal's reason.
 */
export async function readBytes(path: string, flag: string, signal: AbortSignal): Promise<Uint8Array> {
  if (path === '') throw new UsageError(`${flag}: the path is empty`)
  try {
    return await readAll(path, signal)
  } catch (error) {
    signal.throwIfAborted()
    const reason = isSystemError(error) ? (reasons[error.code ?? ''] ?? error.message) : errorMessage(error)
    throw new UsageError(`${flag}: can't read ${path}: ${reason}`)
  }
}

async function readAll(path: string, signal: AbortSignal): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a named pipe blocks until it has a writer, and neither a signal nor exiting ends that.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stream = fstatSync(file).isFIFO()
    ? await pipeStream(file)
    : createReadStream('', { fd: file, highWaterMark: 1024 * 1024 })
  const stop = (): void => void stream.destroy(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > longest) throw new Error('it is longer than 512 MiB')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

async function pipeStream(file: number): Promise<Readable> {
  const { Socket } = await import('node:net')
  return new Socket({ fd: file, readable: true, writable: false })
}

/**
 * Reads a file, or standard input for `-`.
 * @throws as `readBytes`; UsageError when another argument has read standard input.
 */
export function readFileOrStdin(path: string, flag: string, io: Pick<Io, 'in' | 'signal'>): Promise<Uint8Array> {
  return path === '-' ? io.in.read(`${flag} -`, io.signal) : readBytes(path, flag, io.signal)
}

/**
 * Decodes strict UTF-8 and removes a byte order mark.
 * @param where The source, for the error.
 * @throws UsageError for anything else: it would be sent garbled.
 */
export function decodeText(bytes: Uint8Array, where: string, hint?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${where}: not UTF-8 text`, { hint })
  }
}
