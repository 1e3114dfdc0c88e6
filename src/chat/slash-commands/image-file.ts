/** /image and /file: what is attached to the next message. */

import { existsSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { readImage } from '../../input/image.ts'
import { readTextFile } from '../../input/text.ts'
import type { Io } from '../../io/io.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'
import { expandHome, pathsFrom, unquoted } from './typed-path.ts'

export const image: SlashCommand = {
  name: 'image',
  argument: '[PATH|URL]',
  help: 'Send an image along; alone lists, "" takes back.',
  complete: (typed, { context }) => pathsFrom(typed, context.io),
  run: async (source, chat) => {
    if (source === none) chat.images = []
    if (source === none || source === '') return noteAttachments(chat)
    const path = /^(https?|data):/i.test(source) ? source : pathTyped(source, chat)
    const read = { source: path, image: await readImage(path, interruptible(chat), '/image') }
    chat.images = [...chat.images.filter((one) => one.source !== path), read]
    await note(chat, attachmentNote(path))
  },
}

export const file: SlashCommand = {
  name: 'file',
  argument: '[PATH]',
  help: 'Send a text file along; alone lists, "" takes back.',
  complete: (typed, { context }) => pathsFrom(typed, context.io),
  run: async (typed, chat) => {
    if (typed === none) chat.files = []
    if (typed === none || typed === '') return noteAttachments(chat)
    const path = pathTyped(typed, chat)
    const text = await readTextFile(path, interruptible(chat), { name: '/file', hint: '/image PATH sends an image' })
    chat.files = [...chat.files.filter((one) => one.path !== path), { path, text }]
    await note(chat, attachmentNote(path))
  },
}

/** The argument that removes all attachments of the kind. */
const none = '""'

/** One line for each file and image that is attached to the next message. */
export function attachmentNotes({ files, images }: ChatState): string[] {
  const names = [...files.map(({ path }) => path), ...images.map(({ source }) => source)]
  return names.map(attachmentNote)
}

/** A data URI is cut: it holds the whole image. */
function attachmentNote(name: string): string {
  return `${name.startsWith('data:') ? `${name.slice(0, 30)}…` : name} goes along with the next message`
}

function noteAttachments(chat: ChatState): Promise<void> {
  const lines = attachmentNotes(chat)
  return note(chat, lines.length === 0 ? 'nothing goes along with the next message' : lines.join('\n'))
}

/** Ctrl-C stops reading, for a named pipe that nothing is written to. */
function interruptible({ context: { io }, signal }: ChatState): Io {
  return { ...io, signal: AbortSignal.any([io.signal, signal]) }
}

/**
 * A path as it was typed or, if there is no such file, without quotes and backslashes.
 * @throws UsageError for standard input, which is the terminal.
 */
function pathTyped(typed: string, { context: { io } }: ChatState): string {
  if (typed === '-') throw new UsageError('standard input is the terminal; expected a path')
  const [path, other] = [expandHome(typed, io), expandHome(unquoted(typed), io)]
  return !existsSync(path) && existsSync(other) ? other : path
}
