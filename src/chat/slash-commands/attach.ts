/** Commands that send something along with the next message. */

import { existsSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { readImage } from '../../input/image.ts'
import { readTextFile } from '../../input/text.ts'
import type { Io } from '../../io/io.ts'
import { expandHome, pathsLike, unquoted } from '../path.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'

const image: SlashCommand = {
  name: 'image',
  argument: '[PATH|URL]',
  help: 'Send an image along; alone lists, "" takes back.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (source, chat) => {
    if (source === nothing) chat.images = []
    if (source === nothing || source === '') return tell(chat)
    const path = /^(https?|data):/i.test(source) ? source : readable(source, chat)
    const read = { source: path, image: await readImage(path, reading(chat), '/image') }
    chat.images = [...chat.images.filter((one) => one.source !== path), read]
    await note(chat, goesAlong(path))
  },
}

const file: SlashCommand = {
  name: 'file',
  argument: '[PATH]',
  help: 'Send a text file along; alone lists, "" takes back.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (typed, chat) => {
    if (typed === nothing) chat.files = []
    if (typed === nothing || typed === '') return tell(chat)
    const path = readable(typed, chat)
    const text = await readTextFile(path, reading(chat), { name: '/file', hint: '/image PATH sends an image' })
    chat.files = [...chat.files.filter((one) => one.path !== path), { path, text }]
    await note(chat, goesAlong(path))
  },
}

export const attachCommands = [image, file]

const nothing = '""'

/** What goes along with the next message, a line each. */
export function goingAlong({ files, images }: ChatState): string[] {
  const names = [...files.map(({ path }) => path), ...images.map(({ source }) => source)]
  return names.map(goesAlong)
}

/** A data URI is too long to be shown whole. */
function goesAlong(name: string): string {
  return `${name.startsWith('data:') ? `${name.slice(0, 30)}…` : name} goes along with the next message`
}

function tell(chat: ChatState): Promise<void> {
  const lines = goingAlong(chat)
  return note(chat, lines.length === 0 ? 'nothing goes along with the next message' : lines.join('\n'))
}

/** A pipe may keep a reader waiting: Ctrl-C ends that. */
function reading({ context: { io }, signal }: ChatState): Io {
  return { ...io, signal: AbortSignal.any([io.signal, signal]) }
}

/**
 * A path as it was typed or, where there is no such file, without quotes and backslashes.
 * @throws UsageError for standard input, which is the terminal.
 */
function readable(typed: string, { context: { io } }: ChatState): string {
  if (typed === '-') throw new UsageError('standard input is the terminal; expected a path')
  const [path, other] = [expandHome(typed, io), expandHome(unquoted(typed), io)]
  return !existsSync(path) && existsSync(other) ? other : path
}
