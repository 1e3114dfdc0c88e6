/** Commands that send something along with the next message. */

import { UsageError } from '../../errors.ts'
import { readImage } from '../../input/image.ts'
import { readTextFile } from '../../input/text-file.ts'
import { expandHome, pathsLike } from '../path.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'

const image: SlashCommand = {
  name: 'image',
  argument: 'PATH|URL',
  help: 'Send an image along with the next message.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (source, chat) => {
    const { io } = chat.context
    chat.images = [...chat.images, await readImage(readable(source, chat), io)]
    await note(chat, `${source} goes along with the next message`)
  },
}

const file: SlashCommand = {
  name: 'file',
  argument: 'PATH',
  help: 'Send a text file along with the next message.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (path, chat) => {
    const text = await readTextFile(readable(path, chat), chat.context.io, '/image PATH sends an image')
    chat.files = [...chat.files, { path, text }]
    await note(chat, `${path} goes along with the next message`)
  },
}

export const attachCommands = [image, file]

/** @throws UsageError for standard input, which is the terminal. */
function readable(path: string, { context: { io } }: ChatState): string {
  if (path === '-') throw new UsageError('standard input is the terminal; expected a path')
  return expandHome(path, io)
}
