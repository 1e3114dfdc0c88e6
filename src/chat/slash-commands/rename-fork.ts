/** /rename and /fork: a name for the conversation, a copy of it. */

import { FailedError } from '../../errors.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Give the conversation a name.',
  run: async (text, chat) => {
    checkIsKept(chat)
    const name = await chat.session.rename(text === '""' ? '' : text)
    await note(chat, `the conversation is named ${JSON.stringify(name)} from now on`)
  },
}

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[NAME]',
  help: 'Go on in a copy, and leave the conversation as it is.',
  run: async (text, chat) => {
    checkIsKept(chat)
    chat.session = await chat.session.fork(text === '' ? undefined : text)
    await note(chat, 'a copy from here on; the conversation before stays as it is')
  },
}

/** @throws FailedError if the conversation is not kept on disk: it has no name then, and no copy. */
function checkIsKept({ session }: ChatState): void {
  if (session.isKept) return
  throw new FailedError('nothing of this chat is kept', { hint: '/save FILE writes what was said so far' })
}
