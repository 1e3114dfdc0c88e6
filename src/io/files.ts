/** Reads files named by the user. */

import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { errorMessage, UsageError, isSystemError } from '../errors.ts'
import type { Io } from './io.ts'

const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  ENOTDIR: 'no such file',
  EISDIR: 'is a directory',
}

/** In bytes: the longest JavaScript string. */
const maxLength = 512 * 1024 * 1024

/**
 * Reads a file, or a pipe to its end.
 * @param flag The argument that the path came from, for errors.
 * @throws UsageError when it cannot be read; the signal's reason.
 */
export async function readBytes(path: string, flag: string, signal: AbortSignal): Promise<Uint8Array> {
  if (path === '') throw new UsageError(`${flag}: the path is empty`)
  try {
    return await readAll(path, signal)
  } catch (error) {
    signal.throwIfAborted()
    const reason = isSystemError(error) ? (reasons[error.code ?? ''] ?? error.message) : errorMessage(error)
    throw new UsageError(`${flag}: cannot read ${path}: ${reason}`)
  }
}

async function readAll(path: string, signal: AbortSignal): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a named pipe blocks until it has a writer, and no signal can interrupt that.
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
      if (length > maxLength) throw new Error('larger than 512 MiB')
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
 * @throws as `readBytes`; UsageError when another argument reads standard input.
 */
export function readFileOrStdin(path: string, flag: string, io: Pick<Io, 'in' | 'signal'>): Promise<Uint8Array> {
  return path === '-' ? io.in.read(`${flag} -`, io.signal) : readBytes(path, flag, io.signal)
}

/**
 * Decodes strict UTF-8 and removes a byte order mark.
 * @param where The source, for the error.
 * @throws UsageError for invalid UTF-8, which would be sent garbled.
 */
export function decodeText(bytes: Uint8Array, where: string, hint?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${where}: not UTF-8 text`, { hint })
  }
}
