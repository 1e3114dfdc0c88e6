/** /rename and /fork: name or copy the conversation. */

import { FailedError } from '../../errors.ts'
import { printStillAttached } from '../attachments.ts'
import { printNotice, type ChatState } from '../state.ts'
import { emptyQuotes, type SlashCommand } from './slash-command.ts'

export const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Rename the conversation.',
  run: async (text, chat) => {
    checkIsSaved('/rename', chat)
    await chat.context.settings.learnKey(text)
    const name = await chat.session.rename(nameFrom(text))
    await printNotice(chat, `renamed the conversation to ${JSON.stringify(name)}`)
  },
}

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[NAME]',
  help: 'Continue in a copy of the conversation.',
  run: async (text, chat) => {
    checkIsSaved('/fork', chat)
    chat.session = await chat.session.fork(text === '' ? undefined : nameFrom(text))
    await printNotice(chat, 'continuing in a copy; the original stays unchanged')
    await printStillAttached(chat)
  },
}

/** @throws FailedError if the conversation is not saved: it can have neither name nor copy. */
function checkIsSaved(command: string, { session }: ChatState): void {
  if (session.isSaved) return
  throw new FailedError(`${command}: this conversation is not saved`, { hint: 'use /save FILE to write it to a file' })
}

/** Empty quotes are an empty name, which is refused. */
function nameFrom(argument: string): string {
  return argument === emptyQuotes ? '' : argument
}
