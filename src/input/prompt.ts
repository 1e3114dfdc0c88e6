/** Reads what the user types, names and pipes in: a turn of a conversation, a single text, or texts to count. */

import { extname } from 'node:path'
import type { Image, UserMessage } from '../api/image.ts'
import { toMessage } from '../api/messages/convert.ts'
import { advice, syn, UsageError } from '../errors.ts'
import { cannotBeCombined, invalidValue } from '../fields/problem.ts'
import type { PromptText } from '../fields/prompt-file.ts'
import { decodeText, fileLines, type FileLines, inputName, readInput, readStandardInput } from '../io/files/files.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { readImage } from './image.ts'
import { fenced } from './sources.ts'

export interface TextSources {
  /** Words of the command line; `-` means standard input. */
  readonly words: readonly string[]
  readonly files?: readonly string[] | undefined
  /** Whether to read standard input (default: a pipe, a file or a socket). */
  readonly stdin?: boolean | undefined
  /** Whether the request has content from other sources. */
  readonly hasOther: boolean
  /** What the text is put into, or follows. */
  readonly prompt?: PromptText | undefined
}

/** What reading a prompt needs of a command's context. */
interface PromptSources extends Pick<TextSources, 'words' | 'prompt'> {
  readonly options: FileOptions & { readonly stdin?: boolean }
  /** Whether there are messages to send without a prompt. */
  readonly hasMessages: boolean
}

/** The parts of a prompt. */
interface PromptParts {
  /** The arguments, joined by spaces. */
  readonly words: string
  readonly files: readonly TextFile[]
  /** Standard input without its final newline; `undefined` when it was not read. */
  readonly stdinText: string | undefined
  readonly images: readonly Image[]
}

interface Notifying {
  readonly notices: { info(text: string): Promise<void>; warn(text: string, hint?: string): Promise<void> }
}

export interface TextFile extends FileLines {
  readonly text: string
}

/**
 * Returns the given messages, followed by the user's turn.
 * @param sources `hasMessages` if there are further messages; `example` is a valid command line, for the error.
 * @throws UsageError when there is nothing to send, or a source cannot be read.
 */
export async function readConversation(
  given: Json | undefined,
  { example, ...sources }: Omit<PromptSources, 'hasMessages'> & Notifying & { hasMessages?: boolean; example: string },
  toMessage: (turn: UserMessage) => JsonObject,
  io: Io,
): Promise<Json[]> {
  const messages = messagesIn(given)
  const hasMessages = sources.hasMessages || messages.length > 0
  const template = sources.prompt && (await import('./template.ts')).inputTemplate(sources.prompt)
  const parts = await readPromptParts({ ...sources, hasMessages: hasMessages || template?.isConstant === true }, io)
  const words = template?.fill(turnOf(parts)?.text)
  const turn = turnOf(words === undefined ? parts : { ...parts, words, files: [], stdinText: '' })
  if (!turn && !hasMessages) throw noPrompt(example)
  await noticeEmpty(parts, io, sources)
  return turn ? [...messages, toMessage(turn)] : messages
}

/** @throws UsageError if `--param messages=…`, which is sent unchecked, is not an array. */
export function messagesIn(given: Json | undefined): Json[] {
  if (given === undefined) return []
  if (Array.isArray(given)) return given
  throw invalidValue('--param messages', { path: [], found: quote(given), expected: 'an array' })
}

/** @throws UsageError when a source cannot be read. */
async function readPromptParts({ words: given, options, hasMessages }: PromptSources, io: Io): Promise<PromptParts> {
  const { file = [], image = [], stdin } = options
  const images: Image[] = []
  for (const source of image) images.push(await readImage(source, io))
  const files: TextFile[] = []
  for (const path of file) {
    files.push(await readTextFile(path, io, { hint: 'use --image for images' }))
  }
  const words = joinedWords(given)
  const hasOther = hasMessages || files.length > 0 || words.trim() !== ''
  const input = await readPromptFromStdin({ words: given, stdin, hasOther }, io, 'use --image - for images')
  return { words, files, stdinText: input && withoutFinalNewline(input), images }
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

/**
 * The messages of the request whose tokens are counted; none for empty standard input, which services refuse.
 * @throws UsageError if there is nothing to count, a source cannot be read, or a word is the name of a file.
 */
export async function readCounted(
  given: Json | undefined,
  sources: Omit<PromptSources, 'hasMessages'>,
  io: Io,
): Promise<Json[]> {
  rejectFileNames(sources.words, 'count')
  const messages = messagesIn(given)
  const parts = await readPromptParts({ ...sources, hasMessages: messages.length > 0 }, io)
  const turn = turnOf(parts)
  if (turn) return [...messages, toMessage(turn)]
  if (messages.length > 0 || parts.stdinText !== undefined) return messages
  throw new UsageError('no text: give it as arguments, in files or on standard input', {
    hint: advice`for example: cat *.md | ${syn('count-tokens')}`,
  })
}

/**
 * Joins the words, the files and standard input. The final newline that `echo` or an editor adds is removed: a model
 * would continue on the next line.
 * @returns an empty string for blank text.
 * @throws UsageError when a source cannot be read.
 */
export async function readText(sources: TextSources & Notifying, io: Io): Promise<string> {
  const template = sources.prompt && (await import('./template.ts')).inputTemplate(sources.prompt)
  const words = joinedWords(sources.words)
  const files: TextFile[] = []
  for (const path of sources.files ?? []) files.push(await readTextFile(path, io))
  const read = files.map(({ text }) => text)
  const hasOther = sources.hasOther || template?.isConstant || [words, ...read].some((text) => text.trim() !== '')
  const stdinText = await readPromptFromStdin({ ...sources, hasOther }, io)
  const given = concatenated([words, withoutFinalNewline(concatenated([...read, stdinText ?? '']))])
  const text = template ? template.fill(given.trim() === '' ? undefined : given) : given
  if (hasOther) await noticeEmpty({ files, stdinText, images: [] }, io, sources)
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
function joinedWords(words: readonly string[]): string {
  return words.filter((word) => word !== '-' && word !== '').join(' ')
}

/**
 * Whether to read standard input. By default, a pipe, a file or a socket is read.
 * @throws UsageError for `-` with `--no-stdin`.
 */
export function shouldReadStdin({ words, stdin, hasOther }: TextSources, io: Io): boolean {
  const isExplicit = words.includes('-') || stdin === true
  if (isExplicit && stdin === false) throw cannotBeCombined(['-', '--no-stdin'])
  if (isExplicit) return true
  if (stdin === false || io.in.reader !== undefined) return false
  io.in.isOptional = hasOther
  return io.in.kind !== 'terminal' && io.in.kind !== 'none'
}

/**
 * All of standard input, unchanged; `undefined` if it is not to be read.
 * @throws UsageError for input that is not UTF-8, or that another argument has read.
 */
async function readPromptFromStdin(sources: TextSources, io: Io, hint?: string): Promise<string | undefined> {
  if (!shouldReadStdin(sources, io)) return undefined
  return readStdinText(sources.words.includes('-') ? 'the prompt -' : 'the prompt', io, hint)
}

/** @throws UsageError if it is not UTF-8, or contains null bytes. */
export async function readStdinText(reader: string, io: Io, hint?: string): Promise<string> {
  return decodeText(await readStandardInput(reader, io), 'standard input', hint)
}

/**
 * Reads a file, the lines or pages of it that the path ends with, a web page, or standard input for `-`.
 * @param options `name`: the argument, for errors; `hint`: of the error for a file that is not text.
 * @throws UsageError if it cannot be read, is not UTF-8, contains null bytes or does not have the lines.
 */
export async function readTextFile(
  named: string,
  io: Io,
  { name = '--file', hint }: { name?: string; hint?: string | undefined } = {},
): Promise<TextFile> {
  const file = fileLines(named)
  const where = inputName(name, file.path)
  const isPage = io.readers && /^https?:\/\//i.test(file.path)
  const read = isPage
    ? await (await import('./page.ts')).readPage(file.path, where, io)
    : await io.readers?.read(file.path, where, io.signal)
  if (read !== undefined) io.inputBudget.take(Buffer.byteLength(read), where)
  const text = read ?? decodeText(await readInput(file.path, name, io), where, hint, io.readers && extname(file.path))
  if (!file.lines) return { ...file, text }
  const [first, last] = file.lines
  const [unit, end, sign] = read?.includes('\f') ? ['pages', '\f', '#'] : ['lines', '\n', ':']
  const lines = text.slice(0, text.endsWith(end) ? -1 : undefined).split(end, last)
  const place = file.name.replace(/:(?=[\d-]+$)/, sign)
  if (first >= 1 && first <= last && last <= lines.length)
    return { ...file, name: place, text: lines.slice(first - 1).join(end) }
  const most = lines.length < last ? `; the last one is ${lines.length}` : ''
  throw new UsageError(`${inputName(name, place)}: no such ${unit}${most}`)
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

/**
 * Says which input has no text although the rest is sent. Of a pipe, with -q too: the program before it may have failed. A device
 * such as /dev/null is empty on purpose. Beside files, an empty pipe is rather one that nobody meant, as cron gives to each job.
 */
async function noticeEmpty(parts: Omit<PromptParts, 'words'>, io: Io, { notices }: Notifying): Promise<void> {
  const { files, stdinText, images } = parts
  const isInput = io.in.kind === 'pipe' || io.in.kind === 'file'
  if (isInput && files.length + images.length === 0 && stdinText?.trim() === '') {
    const what = stdinText === '' ? 'empty' : 'blank'
    await notices.warn(`standard input is ${what}; sending the prompt without it`, 'use --no-stdin if it is no input')
  }
  for (const { path, text } of files) {
    if (text.trim() !== '' || !(path === '-' ? isInput : isFile(path))) continue
    const notice = `${inputName('--file', path)} is ${text === '' ? 'empty' : 'blank'}; sending it anyway`
    await (path === '-' || statsOf(path)?.isFIFO() ? notices.warn(notice) : notices.info(notice))
  }
}

/**
 * `wc` takes files as arguments; here the name of the file itself would be the text.
 * @throws UsageError for a word that is the name of a file, or of a pipe as in `<(date)`.
 */
export function rejectFileNames(words: readonly string[], verb: 'count' | 'embed'): void {
  const word = words.find(isFile)
  if (word === undefined) return
  throw new UsageError(`${word} is a file, not text to ${verb}`, {
    hint: `use -f ${shellWord(word)} to ${verb} its content, or pipe it in`,
  })
}

/** The options of a command that take files, or `@FILE`. */
interface FileOptions {
  readonly file?: readonly string[]
  readonly image?: readonly string[]
  readonly system?: readonly string[]
  readonly template?: string
}

/**
 * For a prompt, in which a file may be spoken of: says that a word, a system prompt or a template names a file or a stored prompt
 * that is not sent. A word such as `test` may do so by chance.
 */
export async function noticeFileName(
  words: readonly string[],
  { file = [], image = [], system = [], template = '' }: FileOptions,
  io: Io,
  notify: (text: string) => Promise<void>,
): Promise<void> {
  const promptPath = system.length > 0 ? (await import('../fields/prompt-file.ts')).promptPath : undefined
  const prompt = system.find((one) => isFile(promptPath?.(one, io) ?? ''))
  if (prompt)
    await notify(`${prompt} is a stored prompt, of which only the name is sent; use -s @${prompt} to send its text`)
  const isNamed = (one: string): boolean => /[./]/.test(one) && ![...file, ...image].includes(one) && isFile(one)
  // `@notes.txt`: of other programs, also within a text.
  const inTexts = words.flatMap((word) => [word, ...word.split(/\s+/).filter((part) => part.startsWith('@'))])
  const word = inTexts.map((one) => one.replace(/^@/, '')).find(isNamed)
  const name = word ?? [...system, template].find(isNamed)
  if (name === undefined) return
  const flag = /\.(png|jpe?g|gif|webp|tiff?)$/i.test(name) ? '-i' : '-f'
  const use =
    word === undefined ? `-${name === template ? 't' : 's'} ${shellWord(`@${name}`)}` : `${flag} ${shellWord(name)}`
  await notify(`${name} is a file, of which only the name is sent; use ${use} to send its content`)
}

function isFile(word: string): boolean {
  const stats = statsOf(fileLines(word).path)
  return stats !== undefined && (stats.isFile() || stats.isFIFO())
}
