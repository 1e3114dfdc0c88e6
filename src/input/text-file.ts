import { UsageError } from '../errors.ts'
import { decodeText, readBytes } from '../io/files.ts'
import type { Io } from '../io/io.ts'

/**
 * The text of a file, or of standard input for `-`.
 * @throws UsageError when it can't be read or is no text.
 */
export async function readTextFile(path: string, io: Io, hint?: string): Promise<string> {
  const bytes = path === '-' ? await io.in.read('--file -', io.signal) : await readBytes(path, '--file', io.signal)
  const text = decodeText(bytes, `--file ${path}`, hint)
  if (text.includes('\0')) throw new UsageError(`--file ${path}: not a text file`)
  return text
}
