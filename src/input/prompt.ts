/** Reads the user's turn from the arguments, files, images and standard input. */

import { extname } from 'node:path'
import type { Image, UserMessage } from '../api/image.ts'
import { UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import type { Io } from '../io/io.ts'
import { quote, type Json, type JsonObject } from '../io/json/json.ts'
import { readImage } from './image.ts'
import {
  joinedWords,
  readPromptFromStdin,
  readTextFile,
  shouldReadStdin,
  withoutFinalNewline,
  type TextSources,
} from './text.ts'

export interface PromptSources extends Omit<TextSources, 'hasOther'> {
  readonly images?: readonly string[] | undefined
  /** Whether there are messages to send without a prompt. */
  readonly hasMessages: boolean
}

/** The parts of a prompt. */
export interface PromptParts {
  /** The arguments, joined by spaces. */
  readonly words: string
  readonly files: readonly TextFile[]
  /** Standard input without its final newline; `undefined` when it was not read. */
  readonly stdinText: string | undefined
  readonly images: readonly Image[]
}

export interface TextFile {
  /** `-` for standard input. */
  readonly path: string
  readonly text: string
}

/**
 * Returns the given messages, followed by the user's turn.
 * @param sources `hasMessages` if there are further messages; `example` is a valid command line, for the error.
 * @throws UsageError when there is nothing to send, or a source cannot be read.
 */
export async function readConversation(
  given: Json | undefined,
  { example, ...sources }: Omit<PromptSources, 'hasMessages'> & { hasMessages?: boolean; example: string },
  toMessage: (turn: UserMessage) => JsonObject,
  io: Io,
): Promise<Json[]> {
  const messages = messagesIn(given)
  const hasMessages = sources.hasMessages || messages.length > 0
  const turn = turnOf(await readParts({ ...sources, hasMessages }, io))
  if (!turn && !hasMessages) throw noPrompt(example)
  return turn ? [...messages, toMessage(turn)] : messages
}

/** @throws UsageError if `--param messages=…`, which is sent unchecked, is not an array. */
export function messagesIn(given: Json | undefined): Json[] {
  if (given === undefined) return []
  if (Array.isArray(given)) return given
  throw invalidValue('--param messages', { path: [], found: quote(given), expected: 'an array' })
}

/** @throws UsageError when a source cannot be read. */
export async function readParts(sources: PromptSources, io: Io): Promise<PromptParts> {
  const images: Image[] = []
  for (const source of sources.images ?? []) images.push(await readImage(source, io))
  const files: TextFile[] = []
  for (const path of sources.files ?? []) {
    files.push({ path, text: await readTextFile(path, io, { hint: 'use --image for images' }) })
  }
  const words = joinedWords(sources.words)
  const hasOther = sources.hasMessages || files.length > 0 || words.trim() !== ''
  const stdinText = shouldReadStdin({ ...sources, hasOther }, io)
    ? withoutFinalNewline(await readPromptFromStdin(sources.words, io, 'use --image - for images'))
    : undefined
  return { words, files, stdinText, images }
}

/** Joins all parts to one message, separated by blank lines; `undefined` if all are blank. */
export function turnOf({ words, files, stdinText = '', images }: PromptParts): UserMessage | undefined {
  const text = [words, ...files.map(fenced), stdinText].filter((part) => part.trim() !== '').join('\n\n')
  return text === '' && images.length === 0 ? undefined : { role: 'user', text, images }
}

/** @param example A valid command line. */
export function noPrompt(example: string): UsageError {
  return new UsageError('no prompt: give it as arguments or on standard input', { hint: `for example: ${example}` })
}

/** A file's path, and its text in a fence longer than any fence in it. */
function fenced({ path, text }: TextFile): string {
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${path === '-' ? 'standard input' : path}:\n${fence}${language}\n${text}${end}${fence}`
}
