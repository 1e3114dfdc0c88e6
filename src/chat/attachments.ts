/**
 * The images and files attached to the next message: by a command, or by a line that is nothing but paths, as terminals paste
 * them for files that are dropped on them. They stay attached until a message with them was answered.
 */

import { posix } from 'node:path'
import type { Image, UserMessage } from '../api/image.ts'
import { SynError, withAddedHint } from '../errors.ts'
import { isImageFile, readImage } from '../input/image.ts'
import { readTextFile, type TextFile, turnOf } from '../input/prompt.ts'
import { isFile, statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { textSize } from '../io/json/json.ts'
import { InputBudget } from '../io/process/input-budget.ts'
import { joinSafe, noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { withSpinner } from '../terminal/spinner.ts'
import { cutTo } from '../terminal/width.ts'
import { type Attachment, type ChatState, type Draft, type EditedMessage, printNotice } from './state.ts'
import { existingPath } from './argument-completion.ts'

/** In columns: the longest name beside the spinner, in a question, and in the prompt. */
const longestName = { reading: 30, question: 40, prompt: 12 }

type Source = Pick<Attachment, 'kind' | 'name'>

/** Replaces an attachment of the same name. */
export function attach(added: Attachment, chat: ChatState): void {
  chat.attachments = [...othersThan(added, chat.attachments), added]
}

/** Ends an edit without a change. What was attached before is attached again. */
export async function endEdit({ number, attachedBefore }: EditedMessage, chat: ChatState): Promise<void> {
  chat.attachments = attachedBefore
  await printNotice(chat, `no longer editing message ${number}: what you send is a new message`)
}

/** The message with its attachments; `undefined` if it is blank. */
export function userMessage({ words, attachments, mentioned = [] }: Draft): UserMessage | undefined {
  const others = mentioned.filter(({ name }) => !isAttached(name, attachments))
  return turnOf({ words, ...attachedParts([...attachments, ...others]), stdinText: undefined })
}

export function attachedParts(attachments: readonly Attachment[]): { files: TextFile[]; images: Image[] } {
  return {
    files: attachments.filter((one) => one.kind === 'file'),
    images: attachments.flatMap((one) => (one.kind === 'image' ? [one.image] : [])),
  }
}

export function attachmentNote(one: Attachment): string {
  const isBlank = one.kind === 'file' && one.text.trim() === ''
  return `attached to the next message: ${shortName(one.name)}${isBlank ? ', without text' : ''}`
}

/** Names attachments that may seem to be gone. @param text Precedes the names. */
export function withStillAttached(text: string | undefined, { attachments }: ChatState): string {
  const names = attachments.map(({ name }) => shortName(name)).join(', ')
  return [text, ...(names === '' ? [] : [`still attached: ${names}`])].filter(Boolean).join('\n')
}

/** A data URL is shortened: it contains the whole image. */
function shortName(name: string): string {
  return name.startsWith('data:') ? `${name.slice(0, 30)}…` : name
}

/**
 * Attaches all of them, or none.
 * @param sources The name of each is a path, or for an image also a URL.
 * @returns a notice.
 * @throws UsageError if one cannot be read, or is neither an image that the service accepts nor a text file.
 */
export async function readAndAttach(sources: readonly Source[], chat: ChatState): Promise<string> {
  let attached = chat.attachments
  try {
    for (const source of sources) {
      const others = othersThan(source, attached)
      const read = await readAttachment(source, `/${source.kind}`, chat, others)
      attached = [...othersThan(read, others), read]
    }
  } catch (error) {
    if (sources.length === 1 || !(error instanceof SynError)) throw error
    throw withAddedHint(error, `none of the ${sources.length} files is attached`)
  }
  chat.attachments = attached
  return attached.slice(-sources.length).map(attachmentNote).join('\n')
}

/** @param label For errors. @throws as `readAndAttach`. */
export function readAttachment({ kind, name }: Source, label: string, chat: ChatState, attached = chat.attachments) {
  const hint = label === '/file' ? 'use /image to attach an image' : undefined
  const read = async (io: Io): Promise<Attachment> =>
    kind === 'image'
      ? { kind, name, image: await readImage(name, io, label) }
      : { kind, ...(await readTextFile(name, io, { name: label, hint })) }
  return readNamed(name, chat, read, attached)
}

/** Whether a file is attached, under whatever path, or lines of it, under this name. */
export function isAttached(path: string, attachments: readonly Attachment[]): boolean {
  const file = statsOf(path)
  if (!file) return attachments.some(({ name }) => name === path)
  const others = attachments.map(({ name }) => statsOf(name))
  return others.some((other) => other?.ino === file.ino && other?.dev === file.dev)
}

/**
 * Reads a file. A spinner shows that it takes time, as of a named pipe without a writer, and Ctrl-C stops it.
 * @param attached What is attached, and counts with the file to the limit of a request's input: each message is a request.
 */
export function readNamed<Result>(
  name: string,
  chat: ChatState,
  read: (io: Io) => Promise<Result>,
  attached = chat.attachments,
): Promise<Result> {
  const { context, signal } = chat
  const inputBudget = new InputBudget(textSize(attached.map((one) => (one.kind === 'file' ? one.text : one.image))))
  const io = { ...context.io, signal: AbortSignal.any([context.io.signal, signal]), inputBudget }
  const shown = cutTo(sanitizeName(name), longestName.reading)
  return withSpinner(safe`reading ${shown}`, context, () => read(io))
}

/** Two images from the clipboard differ in what they show. */
function othersThan(added: Source & { image?: Image }, attachments: readonly Attachment[]): Attachment[] {
  const isOther = (one: Attachment): boolean =>
    one.name !== added.name || (one.name === 'clipboard' && one.kind === 'image' && one.image !== added.image)
  return attachments.filter((one) => one.kind !== added.kind || isOther(one))
}

/**
 * The paths of existing files, if the text is nothing else: absolute, or from `~/`, `./` or `../`, in quotes, with backslashes
 * or as URLs, as terminals paste them. A path goes on until another one begins: some terminals leave spaces and quotes in it.
 */
export function droppedFiles(text: string, io: Pick<Io, 'env'>): string[] {
  // Two slashes begin a message.
  const [before, ...typed] = ` ${text.trim()}`.split(/\s(?=['"]?(?:~|\.{0,2})\/(?!\/)|file:)/i)
  if (before !== '') return []
  const pathOf = (one: string): string => existingPath(one.trim(), io)
  // The name of a folder may end with a space.
  const dropped = [[text], typed].find((all) => all.every((one) => isFile(pathOf(one))))
  return [...new Set(dropped?.map(pathOf))]
}

/**
 * Attaches files, as images or as text, if the user confirms.
 * @returns `undefined` if the user does not answer.
 * @throws as `readAndAttach`.
 */
export async function offerToAttach(paths: readonly string[], chat: ChatState): Promise<boolean | undefined> {
  const names = paths.map((path) => cutTo(sanitizeName(baseName(path)), longestName.question))
  const [first = noText] = names
  const what = names.length > 2 ? safe`${names.length} files (${first}, …)` : joinSafe(names, safe` and `)
  const key = await chat.askKey(safe`attach ${what}? [y]es, [n]o (send as text)`, 'yn')
  if (key === undefined) return undefined
  const isWanted = key === 'y'
  const sources = paths.map((name) => ({ kind: isImageFile(name) ? 'image' : 'file', name }) as const)
  if (isWanted) await printNotice(chat, await readAndAttach(sources, chat))
  return isWanted
}

/** The prompt of the input line: `› `, or `[photo.png +2] › ` with three attachments. */
export function inputPrompt({ attachments, style }: ChatState): SafeText {
  const prompt = safe`${style.bold(safe`›`)} `
  const [first, ...others] = attachments
  if (!first) return prompt
  const more = others.length === 0 ? safe`` : safe` +${others.length}`
  const name = cutTo(sanitizeName(baseName(first.name)), longestName.prompt)
  return safe`${style.dim(safe`[`)}${name}${more}${style.dim(safe`]`)} ${prompt}`
}

/** The last part of a path or URL, or else the URL's host. */
function baseName(name: string): string {
  if (name.startsWith('data:')) return 'image'
  if (!/^https?:/i.test(name) || !URL.canParse(name)) return posix.basename(name)
  const { pathname, host } = new URL(name)
  return posix.basename(pathname) || host
}
