/** The prompt of a conversation: what the user says, from words, files, images and standard input. */

import { extname } from 'node:path'
import type { Turn } from '../api/turn.ts'
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
  /** A command line that works, for who gave none. */
  readonly example: string
}

/**
 * @returns nothing when nobody says anything beside the messages there are.
 * @throws UsageError when there is nothing to send, or a source can't be read.
 */
export async function readTurn(sources: PromptSources, io: Io): Promise<Turn | undefined> {
  const images = await inTurn(sources.images ?? [], (source) => readImage(source, io))
  const files = await inTurn(sources.files ?? [], (path) => readNamedFile(path, io))
  const words = sources.words.filter((word) => word !== '-' && word !== '').join(' ')
  const given = [words, ...files]
  const piped = { ...sources, hasOther: sources.hasMessages || given.some((part) => part.trim() !== '') }
  if (shouldReadInput(piped, io)) {
    given.push(withoutLineEnd(await readInput(piped, io, 'give an image with --image -')))
  }
  const text = given.filter((part) => part.trim() !== '').join('\n\n')
  if (text !== '' || images.length > 0) return { role: 'user', text, images }
  if (sources.hasMessages) return undefined
  throw noPrompt(sources.example)
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
async function readNamedFile(path: string, io: Io): Promise<string> {
  const text = await readTextFile(path, io, 'give an image with --image')
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${path === '-' ? 'standard input' : path}:\n${fence}${language}\n${text}${end}${fence}`
}
