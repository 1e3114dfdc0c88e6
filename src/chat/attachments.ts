/** The images and files attached to the next message. They stay attached until a message with them was answered. */

import type { Image, UserMessage } from '../api/image.ts'
import { type TextFile, turnOf } from '../input/prompt.ts'
import { InputBudget } from '../io/process/input-budget.ts'
import type { Io } from '../io/io.ts'
import { textSize } from '../io/json/json.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { withSpinner } from '../terminal/spinner.ts'
import { cutTo } from '../terminal/width.ts'
import { type Attachment, type ChatState, type Draft, printNotice } from './state.ts'

/** In columns, next to the spinner. */
const longestName = 30

/** Attaches it, in place of one with the same name. */
export function attach(added: Attachment, chat: ChatState): void {
  chat.attachments = [...chat.attachments.filter((one) => !isSame(one, added)), added]
}

/** After a message with them was answered. */
export function detach(sent: readonly Attachment[], chat: ChatState): void {
  chat.attachments = chat.attachments.filter((one) => !sent.includes(one))
}

/** The message with its attachments; `undefined` if it is blank. */
export function messageOf({ words, attachments }: Draft): UserMessage | undefined {
  return turnOf({ words, ...attachedParts(attachments), stdinText: undefined })
}

export function attachedParts(attachments: readonly Attachment[]): { files: TextFile[]; images: Image[] } {
  return {
    files: attachments.flatMap((one) => (one.kind === 'file' ? [{ path: one.name, text: one.text }] : [])),
    images: attachments.flatMap((one) => (one.kind === 'image' ? [one.image] : [])),
  }
}

export function attachmentNote({ name }: Pick<Attachment, 'name'>): string {
  return `attached to the next message: ${shortName(name)}`
}

/** When the user may think that they are gone. */
export async function printStillAttached(chat: ChatState): Promise<void> {
  const names = chat.attachments.map(({ name }) => shortName(name))
  if (names.length > 0) await printNotice(chat, `still attached: ${names.join(', ')}`)
}

/** A data URL is shortened: it contains the whole image. */
function shortName(name: string): string {
  return name.startsWith('data:') ? `${name.slice(0, 30)}…` : name
}

/**
 * Reads a file. A spinner shows that it takes time, as of a named pipe without a writer, and Ctrl-C stops it.
 * @param replaced The attachment that the file replaces.
 */
export function readNamed<Result>(
  name: string,
  chat: ChatState,
  read: (io: Io) => Promise<Result>,
  replaced?: Pick<Attachment, 'kind' | 'name'>,
): Promise<Result> {
  const text = safe`reading ${cutTo(sanitizeName(name), longestName)}`
  return withSpinner(text, chat.context, () => read(readingIo(chat, replaced)))
}

/** Each message is a request of its own. */
function readingIo(chat: ChatState, replaced?: Pick<Attachment, 'kind' | 'name'>): Io {
  const { context, signal, attachments } = chat
  const { files, images } = attachedParts(attachments.filter((one) => !replaced || !isSame(one, replaced)))
  const texts = [...files.map(({ text }) => text), ...images.map((image) => (image.kind === 'data' ? image.data : ''))]
  const stop = AbortSignal.any([context.io.signal, signal])
  return { ...context.io, signal: stop, inputBudget: new InputBudget(textSize(texts)) }
}

function isSame(one: Pick<Attachment, 'kind' | 'name'>, other: Pick<Attachment, 'kind' | 'name'>): boolean {
  return one.kind === other.kind && one.name === other.name
}
