/** /image and /file: attachments to the next message. */

import { existsSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { readImage } from '../../input/image.ts'
import { readTextFile } from '../../input/text.ts'
import { InputBudget } from '../../io/input-budget.ts'
import type { Io } from '../../io/io.ts'
import { textSize } from '../../io/json.ts'
import { printNotice, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'
import { expandHome, completePath, unquoted } from './typed-path.ts'

export const image: SlashCommand = {
  name: 'image',
  argument: '[PATH|URL]',
  help: 'Attach an image; "" removes all; alone, list attachments.',
  complete: (typed, { context }) => completePath(typed, context.io),
  run: async (source, chat) => {
    if (source === removeAll) chat.images = []
    if (source === removeAll || source === '') return printAttachments(chat)
    const path = /^(https?|data):/i.test(source) ? source : resolveTypedPath(source, '/image', chat)
    const read = { source: path, image: await readImage(path, readingFor(chat, path), '/image') }
    chat.images = [...chat.images.filter((one) => one.source !== path), read]
    await printNotice(chat, attachmentNote(path))
  },
}

export const file: SlashCommand = {
  name: 'file',
  argument: '[PATH]',
  help: 'Attach a text file; "" removes all; alone, list them.',
  complete: (typed, { context }) => completePath(typed, context.io),
  run: async (typed, chat) => {
    if (typed === removeAll) chat.files = []
    if (typed === removeAll || typed === '') return printAttachments(chat)
    const path = resolveTypedPath(typed, '/file', chat)
    const text = await readTextFile(path, readingFor(chat, path), {
      name: '/file',
      hint: 'use /image to attach an image',
    })
    chat.files = [...chat.files.filter((one) => one.path !== path), { path, text }]
    await printNotice(chat, attachmentNote(path))
  },
}

/** The argument that removes all images or files. */
const removeAll = '""'

/** One line per attachment. */
export function attachmentNotes({ files, images }: ChatState): string[] {
  const names = [...files.map(({ path }) => path), ...images.map(({ source }) => source)]
  return names.map(attachmentNote)
}

/** A data URL is shortened: it contains the whole image. */
function attachmentNote(name: string): string {
  return `attached to the next message: ${name.startsWith('data:') ? `${name.slice(0, 30)}…` : name}`
}

function printAttachments(chat: ChatState): Promise<void> {
  const lines = attachmentNotes(chat)
  return printNotice(chat, lines.length === 0 ? 'no attachments' : lines.join('\n'))
}

/** Ctrl-C stops the reading, as of a named pipe without a writer. Each message is a request of its own. */
function readingFor({ context: { io }, signal, files, images }: ChatState, replaced: string): Io {
  const kept = [
    ...files.filter(({ path }) => path !== replaced).map(({ text }) => text),
    ...images.filter(({ source }) => source !== replaced).map(({ image }) => (image.kind === 'data' ? image.data : '')),
  ]
  return { ...io, signal: AbortSignal.any([io.signal, signal]), inputBudget: new InputBudget(textSize(kept)) }
}

/**
 * The path as typed or, if there is no such file, without quotes and backslashes.
 * @throws UsageError for `-`: standard input is the terminal.
 */
function resolveTypedPath(typed: string, command: string, { context: { io } }: ChatState): string {
  if (typed === '-') throw new UsageError(`${command}: standard input is the terminal`, { hint: 'give a path' })
  const [path, other] = [expandHome(typed, io), expandHome(unquoted(typed), io)]
  return !existsSync(path) && existsSync(other) ? other : path
}
