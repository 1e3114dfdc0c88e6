/** A text to be continued, from words, files and standard input, as it stands: nothing in it tells its parts apart. */

import type { Io } from '../io/io.ts'
import { readInput, shouldReadInput, withoutLineEnd } from './piped.ts'
import { readTextFile } from './text-file.ts'

export interface TextSources {
  /** Words of the command line, joined by spaces; `-` stands for standard input. */
  readonly words: readonly string[]
  readonly files?: readonly string[] | undefined
  /** Whether to read standard input; by default a pipe or a file is. */
  readonly stdin?: boolean | undefined
  /** Whether there is something to send without a text. */
  readonly hasOther: boolean
}

/**
 * The words, then the files, then standard input. What a shell's `echo` or an editor put at the very end is left out:
 * a model would go on after it, on the next line.
 * @returns an empty string when there is nothing but white space.
 * @throws UsageError when a source can't be read.
 */
export async function readText(sources: TextSources, io: Io): Promise<string> {
  const words = sources.words.filter((word) => word !== '-' && word !== '').join(' ')
  const read: string[] = []
  for (const path of sources.files ?? []) read.push(await readTextFile(path, io))
  const hasOther = sources.hasOther || [words, ...read].some((text) => text.trim() !== '')
  if (shouldReadInput({ ...sources, hasOther }, io)) read.push(await readInput(sources, io))
  const text = together([words, withoutLineEnd(together(read))])
  return text.trim() === '' ? '' : text
}

/** Each text begins on a line of its own, unless the one before ends in white space. */
function together(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .reduce((whole, text) => (whole === '' || /\s$/.test(whole) ? whole + text : `${whole}\n${text}`), '')
}
