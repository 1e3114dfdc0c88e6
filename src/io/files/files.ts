/** Reads files named by the user. */

import { isUtf8 } from 'node:buffer'
import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { reasonOf, UsageError } from '../../errors.ts'
import { onAbort } from '../time/abort-signal.ts'
import { kindOf, notText } from '../text/first-bytes.ts'
import type { Io } from '../io.ts'
import { descriptorOf, isFile, mayExist, quotedBytes } from './stats.ts'

export interface FileLines {
  /** `-` for standard input. */
  readonly path: string
  /** With the lines, as in `src/a.ts:10-20`. */
  readonly name: string
  /** From 1 on. Without them, the whole file is meant. */
  readonly lines?: readonly [first: number, last: number]
}

/** `:10-20`, `:10`, `:10:5` with a column, `#L10-L20`, `#L10C5` and `#10-20`, as compilers, GitHub and editors write lines. */
export const lineSuffix = String.raw`[:#]L?(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?|:\d+)?`

/**
 * The file that a name means, and the lines at its end if no file has this very name.
 * @param find Finds the path of a name (default: the name itself).
 */
export function fileLines(named: string, find = (name: string): string => name): FileLines {
  const path = find(named)
  const [suffix, first, last = first] = new RegExp(`${lineSuffix}$`).exec(named) ?? []
  const file = suffix && find(named.slice(0, -suffix.length))
  if (!file || mayExist(path) || !isFile(file)) return { path, name: path }
  const range = first === last ? first : `${first}-${last}`
  return { path: file, name: `${file}:${range}`, lines: [Number(first), Number(last)] }
}

/** What reading needs of a run. */
export interface InputIo extends Pick<Io, 'in' | 'inputBudget' | 'signal' | 'readers'> {
  /** Whether a file was found, not named: one that has become a pipe would be waited for. */
  readonly isFound?: boolean
}

/**
 * Reads a file or a pipe to its end, or standard input for `-`, and counts it as input of the request.
 * @throws UsageError when it cannot be read or is too large, or another argument reads standard input; the signal's reason.
 */
export async function readInput(path: string, flag: string, io: InputIo): Promise<Uint8Array> {
  if (path === '-') return readStandardInput(`${flag} -`, io)
  const where = inputName(flag, path)
  const checkSize = (size: number): void => io.inputBudget.check(size, where)
  return collect(fileChunks(path, flag, io, checkSize), where, io)
}

/** `--file notes.txt` for errors. @param flag May be the path with an `@`, or empty for an argument. */
export function inputName(flag: string, path: string): string {
  return flag.startsWith('@') ? flag : `${flag} ${onOneLine(path)}`.trimStart()
}

/** For errors. A name may have line breaks, and bytes that are not UTF-8. */
export function onOneLine(path: string): string {
  return quotedBytes(path) ?? (/[\n\r]/.test(path) ? JSON.stringify(path) : path)
}

/** Reads standard input to its end, and counts it as input of the request. @throws as `readInput`. */
export function readStandardInput(reader: string, io: InputIo): Promise<Uint8Array> {
  return collect(standardInputChunks(reader, io), 'standard input', io)
}

/**
 * The chunks of a file, a pipe, or standard input for `-`, not counted: for readers that keep one record at a time.
 * @throws as `readInput`, but for the size.
 */
export function inputChunks(path: string, flag: string, io: InputIo): AsyncGenerator<Uint8Array, void, undefined> {
  return path === '-' ? standardInputChunks(`${flag} -`.trimStart(), io) : fileChunks(path, flag, io)
}

/** The chunks of standard input, not counted. @throws as `inputChunks`. */
export function standardInputChunks(reader: string, io: InputIo): AsyncGenerator<Uint8Array, void, undefined> {
  return io.in.chunks(reader, io.signal, () => io.inputBudget.begin(io.in.kind === 'file' ? fstatSync(0) : undefined))
}

/** Whether a path can be opened again to read the same: neither a pipe nor an open descriptor, which may share its offset. */
export function isRegularFile(path: string): boolean {
  return isFile(path) && descriptorOf(path) === undefined
}

async function collect(read: AsyncIterable<Uint8Array>, where: string, { inputBudget }: InputIo): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of read) {
    inputBudget.take(chunk.length, where)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @param checkSize Throws if a regular file of this size, in bytes, is too large: it need not be read then. */
async function* fileChunks(
  path: string,
  flag: string,
  { signal, inputBudget, isFound }: InputIo,
  checkSize?: (size: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const start = flag === '' ? '' : `${flag}: `
  if (path === '') throw new UsageError(`${start}the path is empty`)
  try {
    // Without O_NONBLOCK, opening a named pipe blocks until it has a writer, and no signal can interrupt that.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(file)
    const stream = stats.isFIFO()
      ? new (await import('node:net')).Socket({ fd: file, readable: true, writable: false })
      : // With 1 MiB for each, 40,000 small files take eight times as long.
        createReadStream('', { fd: file, highWaterMark: Math.min(stats.size + 4096, 1024 * 1024) })
    using _listener = onAbort(signal, () => stream.destroy(new Error('stopped')))
    try {
      if (stats.isFile()) checkSize?.(stats.size)
      else if (isFound) throw new UsageError(start + cannotRead(path, new Error('not a regular file')))
      inputBudget.begin(stats)
      for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk
    } finally {
      stream.destroy()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UsageError) throw error
    throw new UsageError(start + cannotRead(path, error))
  }
}

/** `cannot read notes.txt: no such file` */
export function cannotRead(path: string, error: unknown): string {
  const reason = quotedBytes(path) === undefined ? reasonOf(error) : 'its name is not UTF-8'
  return `cannot read ${onOneLine(path)}: ${reason}`
}

/**
 * Decodes strict UTF-8 and removes a byte order mark.
 * @param extension As `.pdf`, if a reader of it would be asked.
 * @throws UsageError for what is no text, which would be sent garbled.
 */
export function decodeText(bytes: Uint8Array, where: string, hint?: string, extension?: string): string {
  if (!isUtf8(bytes) || bytes.includes(0) || kindOf(bytes)) throw notText(where, bytes, hint, '', extension)
  return new TextDecoder().decode(bytes)
}
