/** Reads one text from the arguments, files and standard input: a completion's prompt, or a search query. */

import { cannotBeCombined } from '../fields/problem.ts'
import { withNull } from '../io/text/encoding.ts'
import { decodeText, readInput, readStandardInput } from '../io/files/files.ts'
import type { Io } from '../io/io.ts'

export interface TextSources {
  /** Words of the command line; `-` means standard input. */
  readonly words: readonly string[]
  readonly files?: readonly string[] | undefined
  /** Whether to read standard input (default: a pipe or a file). */
  readonly stdin?: boolean | undefined
  /** Whether the request has content from other sources. */
  readonly hasOther: boolean
}

/**
 * Joins the words, the files and standard input. The final newline that `echo` or an editor adds is removed: a model
 * would continue on the next line.
 * @returns an empty string for blank text.
 * @throws UsageError when a source cannot be read.
 */
export async function readText(sources: TextSources, io: Io): Promise<string> {
  const words = joinedWords(sources.words)
  const read: string[] = []
  for (const path of sources.files ?? []) read.push(await readTextFile(path, io))
  const hasOther = sources.hasOther || [words, ...read].some((text) => text.trim() !== '')
  if (shouldReadStdin({ ...sources, hasOther }, io)) read.push(await readPromptFromStdin(sources.words, io))
  const text = concatenated([words, withoutFinalNewline(concatenated(read))])
  return text.trim() === '' ? '' : text
}

/**
 * Reads a search query: the words, with standard input in place of `-`. Without words, it is all of standard input. With
 * words, only `-` reads standard input, which in a `while read` loop belongs to the loop.
 * @returns `undefined` if there is no query.
 * @throws UsageError for input that is not UTF-8.
 */
export async function readQuery(words: readonly string[], hasOther: boolean, io: Io): Promise<string | undefined> {
  const isAll = words.length === 0
  if (isAll && (hasOther || !shouldReadStdin({ words, hasOther }, io))) return undefined
  const parts = isAll ? ['-'] : words
  const input = parts.includes('-') ? (await readStdinText('the query', io)).trim() : ''
  const query = parts.map((part) => (part === '-' ? input : part)).join(' ')
  return query.trim()
}

/** The words without `-`, joined by spaces. */
export function joinedWords(words: readonly string[]): string {
  return words.filter((word) => word !== '-' && word !== '').join(' ')
}

/**
 * Whether to read standard input. By default, a pipe or a file is read.
 * @throws UsageError for `-` with `--no-stdin`.
 */
export function shouldReadStdin({ words, stdin, hasOther }: Omit<TextSources, 'files'>, io: Io): boolean {
  const isExplicit = words.includes('-') || stdin === true
  if (isExplicit && stdin === false) throw cannotBeCombined(['-', '--no-stdin'])
  if (isExplicit) return true
  if (stdin === false || io.in.reader !== undefined) return false
  // A parent process may never close a socket, so it is read only if nothing else is given.
  if (io.in.kind === 'socket') return !hasOther
  io.in.isOptional = hasOther
  return io.in.kind === 'pipe' || io.in.kind === 'file'
}

/**
 * All of standard input, unchanged.
 * @throws UsageError for input that is not UTF-8, or that another argument has read.
 */
export function readPromptFromStdin(words: readonly string[], io: Io, hint?: string): Promise<string> {
  return readStdinText(words.includes('-') ? 'the prompt -' : 'the prompt', io, hint)
}

/** @throws UsageError if it is not UTF-8, or contains null bytes. */
export async function readStdinText(reader: string, io: Io, hint?: string): Promise<string> {
  return decodePlainText(await readStandardInput(reader, io), 'standard input', hint)
}

/**
 * The text of a file, or of standard input for `-`.
 * @param options `name`: the argument, for errors; `hint`: of the error for a file that is not text.
 * @throws UsageError if it cannot be read, is not UTF-8 or contains null bytes.
 */
export async function readTextFile(
  path: string,
  io: Io,
  { name = '--file', hint }: { name?: string; hint?: string } = {},
): Promise<string> {
  return decodePlainText(await readInput(path, name, io), `${name} ${path}`, hint)
}

function decodePlainText(bytes: Uint8Array, where: string, hint: string | undefined): string {
  const text = decodeText(bytes, where, hint)
  if (text.includes('\0')) throw withNull(where, text, hint)
  return text
}

/** Removes the final newline that `echo` or an editor adds. */
export function withoutFinalNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/** Joins texts with a newline, unless the text before ends in whitespace. */
function concatenated(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .reduce((whole, text) => (whole === '' || /\s$/.test(whole) ? whole + text : `${whole}\n${text}`), '')
}
