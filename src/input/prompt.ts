/** The prompt of a conversation: what the user says, from words, files, images and standard input. */

import { extname } from 'node:path'
import type { Image, Turn } from '../api/image.ts'
import { UsageError } from '../errors.ts'
import type { Io } from '../io/io.ts'
import { readImage } from './image.ts'
import { readInput, shouldReadInput, withoutLineEnd } from './piped.ts'
import { readTextFile } from './text-file.ts'

export interface PromptSources {
  /** Words of the command line, joined by spaces; `-` stands for standard input. */
  readonly words: readonly string[]
  readonly files?: readonly string[] | undefined
  readonly images?: readonly string[] | undefined
  /** Whether to read standard input; by default a pipe or a file is. */
  readonly stdin?: boolean | undefined
  /** Whether there is something to send without a prompt. */
  readonly hasMessages: boolean
}

/** What a prompt is made of. */
export interface PromptParts {
  /** Of the command line, joined. */
  readonly words: string
  readonly files: readonly TextFile[]
  /** Standard input without its last line end; absent when nobody read it. */
  readonly piped: string | undefined
  readonly images: readonly Image[]
}

export interface TextFile {
  /** `-` for standard input. */
  readonly path: string
  readonly text: string
}

/**
 * @returns nothing when nobody says anything beside the messages there are.
 * @throws UsageError when there is nothing to send, or a source can't be read.
 */
export async function readTurn(
  { example, ...sources }: PromptSources & { readonly example: string },
  io: Io,
): Promise<Turn | undefined> {
  const turn = turnOf(await readParts(sources, io))
  if (!turn && !sources.hasMessages) throw noPrompt(example)
  return turn
}

/** @throws UsageError when a source can't be read. */
export async function readParts(sources: PromptSources, io: Io): Promise<PromptParts> {
  const images = await inTurn(sources.images ?? [], (source) => readImage(source, io))
  const files = await inTurn(sources.files ?? [], async (path) => {
    return { path, text: await readTextFile(path, io, { hint: 'give an image with --image' }) }
  })
  const words = sources.words.filter((word) => word !== '-' && word !== '').join(' ')
  const hasOther = sources.hasMessages || files.length > 0 || words.trim() !== ''
  const input = { ...sources, hasOther }
  const piped = shouldReadInput(input, io)
    ? withoutLineEnd(await readInput(input, io, 'give an image with --image -'))
    : undefined
  return { words, files, piped, images }
}

/** All parts in one message, each after a blank line; nothing when they are blank. */
export function turnOf({ words, files, piped = '', images }: PromptParts): Turn | undefined {
  const text = [words, ...files.map(fenced), piped].filter((part) => part.trim() !== '').join('\n\n')
  return text === '' && images.length === 0 ? undefined : { role: 'user', text, images }
}

/** @param example A command line that works. */
export function noPrompt(example: string): UsageError {
  return new UsageError('no prompt: give it as arguments or on standard input', { hint: `for example: ${example}` })
}

async function inTurn<From, To>(sources: readonly From[], read: (source: From) => Promise<To>): Promise<To[]> {
  const results: To[] = []
  for (const source of sources) results.push(await read(source))
  return results
}

/** A file's text under its name, in a fence longer than any in it. */
function fenced({ path, text }: TextFile): string {
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${path === '-' ? 'standard input' : path}:\n${fence}${language}\n${text}${end}${fence}`
}
