import { readFile } from 'node:fs/promises'
import { UsageError, isSystemError } from '../errors.ts'

const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'no permission to read it',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
}

/**
 * @param flag Names the argument the path came from.
 * @throws UsageError when it can't be read.
 */
export async function readBytes(path: string, flag: string): Promise<Uint8Array> {
  if (path === '') throw new UsageError(`${flag}: the path is empty`)
  try {
    return await readFile(path)
  } catch (error) {
    const reason = isSystemError(error) ? (reasons[error.code ?? ''] ?? error.message) : String(error)
    throw new UsageError(`${flag}: can't read ${path}: ${reason}`)
  }
}

/**
 * Strict UTF-8, a byte order mark removed: what can't be decoded is refused rather than sent mangled.
 * @throws UsageError
 */
export function decodeText(bytes: Uint8Array, where: string, hint?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${where}: not UTF-8 text`, { hint })
  }
}
