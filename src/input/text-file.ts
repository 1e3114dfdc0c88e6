import { UsageError } from '../errors.ts'
import { decodeText, readBytes } from '../io/files.ts'
import type { Io } from '../io/io.ts'

export interface TextFileWords {
  /** What errors call the argument that the path came from. */
  readonly name?: string
  /** For what is no text. */
  readonly hint?: string
}

/**
 * The text of a file, or of standard input for `-`.
 * @throws UsageError when it can't be read or is no text.
 */
export async function readTextFile(path: string, io: Io, words: TextFileWords = {}): Promise<string> {
  const { name = '--file', hint } = words
  const bytes = path === '-' ? await io.in.read(`${name} -`, io.signal) : await readBytes(path, name, io.signal)
  const text = decodeText(bytes, `${name} ${path}`, hint)
  if (text.includes('\0')) throw new UsageError(`${name} ${path}: not a text file`)
  return text
}
