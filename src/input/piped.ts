/** Text on standard input: whether it is to be read, and reading it. */

import { UsageError } from '../errors.ts'
import { decodeText } from '../io/files.ts'
import type { Io } from '../io/io.ts'

export interface PipedInput {
  /** Words of the command line; `-` asks for standard input. */
  readonly words: readonly string[]
  /** What `--stdin` or `--no-stdin` said. */
  readonly stdin?: boolean | undefined
  /** Whether there is something to send without it. */
  readonly hasOther: boolean
}

/**
 * A pipe or a file is read unasked.
 * @throws UsageError when the command line contradicts itself.
 */
export function shouldReadInput({ words, stdin, hasOther }: PipedInput, io: Io): boolean {
  const isExplicit = words.includes('-') || stdin === true
  if (isExplicit && stdin === false) throw new UsageError('- and --no-stdin contradict each other')
  if (isExplicit) return true
  if (stdin === false || io.in.reader !== undefined) return false
  // A socket may stay open for ever (a parent process that never closes it), so it is read only for want of others.
  if (io.in.kind === 'socket') return !hasOther
  return io.in.kind === 'pipe' || io.in.kind === 'file'
}

/**
 * All of standard input, as it came.
 * @throws UsageError for what is no UTF-8 text.
 */
export async function readInput({ words }: PipedInput, io: Io, hint?: string): Promise<string> {
  const reader = words.includes('-') ? 'the prompt -' : 'the prompt'
  return decodeText(await io.in.read(reader, io.signal), 'standard input', hint)
}

/** A shell's `echo` and an editor end a text with a line end that nobody means. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}
