/** Several texts, each on its own: from arguments, files and standard input. */

import { UsageError } from '../errors.ts'
import { decodeText } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { shouldReadInput } from './piped.ts'
import { splitTexts, type TextForm } from './split-texts.ts'
import { readTextFile } from './text-file.ts'

export interface TextSources extends TextForm {
  /** Words of the command line, each a text; `-` stands for standard input. */
  readonly words: readonly string[]
  readonly files?: readonly string[] | undefined
  /** Whether to read standard input; by default a pipe or a file is. */
  readonly stdin?: boolean | undefined
  /** Whether there are texts from elsewhere. */
  readonly hasOther: boolean
}

/**
 * Words, then files, then standard input, unless `-` stands among the words: there it is read in its place.
 * @throws UsageError when a source can't be read, or is not of the form that was named.
 */
export async function readTexts(sources: TextSources, io: Io): Promise<string[]> {
  const { words, files = [] } = sources
  let filed: string[] = []
  for (const path of files) {
    const text = await readTextFile(path, io)
    filed = filed.concat(await splitTexts(text, path === '-' ? 'standard input' : `--file ${path}`, sources))
  }
  const hasOther = sources.hasOther || filed.length > 0 || words.some((word) => word !== '-')
  const piped = shouldReadInput({ ...sources, hasOther }, io) ? await readPiped(sources, io) : []
  const place = words.indexOf('-')
  if (place === -1) return [...words, ...filed, ...piped]
  const after = words.slice(place + 1).filter((word) => word !== '-')
  return [...words.slice(0, place), ...piped, ...after, ...filed]
}

/** Nothing on standard input is no text; an empty file is an empty one, because somebody named it. */
async function readPiped(sources: TextSources, io: Io): Promise<string[]> {
  const reader = sources.words.includes('-') ? 'the argument -' : '--stdin'
  const text = decodeText(await io.in.read(reader, io.signal), 'standard input')
  if (text.includes('\0')) throw new UsageError('standard input: not text')
  return text === '' ? [] : splitTexts(text, 'standard input', sources)
}
