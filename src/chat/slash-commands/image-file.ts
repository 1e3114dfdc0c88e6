/** /image and /file: attachments to the next message. */

import { UsageError } from '../../errors.ts'
import { readImage } from '../../input/image.ts'
import { readTextFile } from '../../input/text.ts'
import { attach, attachmentNote, readNamed } from '../attachments.ts'
import { printNotice, type Attachment, type ChatState } from '../state.ts'
import { emptyQuotes, type SlashCommand } from './slash-command.ts'
import { completePath, existingPath } from './typed-path.ts'

export const image: SlashCommand = {
  name: 'image',
  argument: '[PATH|URL]',
  help: 'Attach an image; "" removes all; alone, list attachments.',
  complete: (typed, { context }) => completePath(typed, context.io),
  run: async (source, chat) => {
    if (source === emptyQuotes || source === '') return listOrRemove('image', source, chat)
    await attachImage(/^(https?|data):/i.test(source) ? source : resolvePath(source, '/image', chat), chat)
  },
}

export const file: SlashCommand = {
  name: 'file',
  argument: '[PATH]',
  help: 'Attach a text file; "" removes all; alone, list them.',
  complete: (typed, { context }) => completePath(typed, context.io),
  run: async (typed, chat) => {
    if (typed === emptyQuotes || typed === '') return listOrRemove('file', typed, chat)
    await attachFile(resolvePath(typed, '/file', chat), chat)
  },
}

/** @throws UsageError if it cannot be read, or is not an image that the service accepts. */
export async function attachImage(name: string, chat: ChatState): Promise<void> {
  const named = { kind: 'image', name } as const
  const image = await readNamed(name, chat, (io) => readImage(name, io, '/image'), named)
  await attachAndSay({ ...named, image }, chat)
}

/** @throws UsageError if it cannot be read, or is not a text file. */
export async function attachFile(name: string, chat: ChatState): Promise<void> {
  const named = { kind: 'file', name } as const
  const options = { name: '/file', hint: 'use /image to attach an image' }
  const text = await readNamed(name, chat, (io) => readTextFile(name, io, options), named)
  await attachAndSay({ ...named, text }, chat)
}

async function attachAndSay(added: Attachment, chat: ChatState): Promise<void> {
  attach(added, chat)
  await printNotice(chat, attachmentNote(added))
}

function listOrRemove(kind: Attachment['kind'], argument: string, chat: ChatState): Promise<void> {
  if (argument === emptyQuotes) chat.attachments = chat.attachments.filter((one) => one.kind !== kind)
  const lines = chat.attachments.map(attachmentNote)
  return printNotice(chat, lines.length === 0 ? 'no attachments' : lines.join('\n'))
}

/** @throws UsageError for `-`: standard input is the terminal. */
function resolvePath(typed: string, command: string, { context: { io } }: ChatState): string {
  if (typed === '-') throw new UsageError(`${command}: standard input is the terminal`, { hint: 'give a path' })
  return existingPath(typed, io)
}
