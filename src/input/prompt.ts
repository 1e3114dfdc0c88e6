/** The prompt: from words, files and standard input to the turns of a conversation. */

import { extname } from 'node:path'
import type { Turn } from '../api/turn.ts'
import { UsageError } from '../errors.ts'
import { decodeText, readBytes } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { readImage } from './image.ts'

export interface PromptSources {
  /** Words of the command line, joined by spaces; `-` stands for standard input. */
  readonly words: readonly string[]
  /** Text, or `@` and the path of a file. */
  readonly system?: string | undefined
  readonly files?: readonly string[] | undefined
  readonly images?: readonly string[] | undefined
  /** Whether to read standard input; by default a pipe or a file is. */
  readonly stdin?: boolean | undefined
  /** Whether there is something to send without a prompt. */
  readonly hasMessages: boolean
}

/**
 * The system turn, when there is one, and the user's turn.
 * @throws UsageError when there is nothing to send, or a source can't be read.
 */
export async function readTurns(sources: PromptSources, io: Io): Promise<{ system?: Turn; user?: Turn }> {
  const system = sources.system === undefined ? undefined : await readSystem(sources.system, io)
  const images = await inTurn(sources.images ?? [], (source) => readImage(source, io))
  const files = await inTurn(sources.files ?? [], (path) => readNamedFile(path, io))
  const words = sources.words.filter((word) => word !== '-').join(' ')
  const given = [words, ...files]
  if (shouldRead(sources, given, io)) given.push(await readInput(sources, io))
  const text = given.filter((part) => part.trim() !== '').join('\n\n')
  const turns = system === undefined ? {} : { system: { role: 'system' as const, text: system, images: [] } }
  if (text !== '' || images.length > 0) return { ...turns, user: { role: 'user', text, images } }
  if (sources.hasMessages) return turns
  throw new UsageError('no prompt: give it as arguments or on standard input', {
    hint: 'for example: syn chat "Say hello in three languages"',
  })
}

async function inTurn<From, To>(sources: readonly From[], read: (source: From) => Promise<To>): Promise<To[]> {
  const results: To[] = []
  for (const source of sources) results.push(await read(source))
  return results
}

function shouldRead({ words, stdin, hasMessages }: PromptSources, given: readonly string[], io: Io): boolean {
  const isExplicit = words.includes('-') || stdin === true
  if (isExplicit && stdin === false) throw new UsageError('- and --no-stdin contradict each other')
  if (isExplicit) return true
  if (stdin === false || io.in.reader !== undefined) return false
  // A socket may stay open for ever (a parent process that never closes it), so it is read only for want of a prompt.
  if (io.in.kind === 'socket') return !hasMessages && given.every((part) => part.trim() === '')
  return io.in.kind === 'pipe' || io.in.kind === 'file'
}

async function readInput({ words }: PromptSources, io: Io): Promise<string> {
  const reader = words.includes('-') ? 'the prompt -' : 'the prompt'
  const bytes = await io.in.read(reader, io.signal)
  const text = decodeText(bytes, 'standard input', 'give an image with --image -')
  return text.replace(/\r?\n$/, '')
}

async function readSystem(source: string, io: Io): Promise<string> {
  if (!source.startsWith('@')) return source
  const path = source.slice(1)
  const bytes = path === '-' ? await io.in.read('--system @-', io.signal) : await readBytes(path, '--system')
  return decodeText(bytes, `--system ${path}`).replace(/\r?\n$/, '')
}

/** A file's text under its name, in a fence longer than any in it. */
async function readNamedFile(path: string, io: Io): Promise<string> {
  const isInput = path === '-'
  const bytes = isInput ? await io.in.read('--file -', io.signal) : await readBytes(path, '--file')
  const text = decodeText(bytes, `--file ${path}`, 'give an image with --image')
  if (text.includes('\0')) throw new UsageError(`--file ${path}: not a text file`)
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${isInput ? 'standard input' : path}:\n${fence}${language}\n${text}${end}${fence}`
}
