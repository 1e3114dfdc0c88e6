/** Commands that go from one conversation to another. */

import { FailedError } from '../../errors.ts'
import { listText, summaryOf } from '../../conversation/list.ts'
import { openStore } from '../../conversation/store.ts'
import type { Session } from '../../conversation/session.ts'
import { showLastTurns } from '../greeting.ts'
import { note, type ChatState } from '../state.ts'
import { goingAlong } from './attach.ts'
import type { SlashCommand } from './command.ts'

const begin: SlashCommand = {
  name: 'new',
  help: 'Begin another conversation.',
  run: async (_argument, chat) => {
    goOnWith(chat.session.begin(), chat)
    await note(chat, ['a new conversation', ...goingAlong(chat)].join('\n'))
  },
}

const load: SlashCommand = {
  name: 'load',
  argument: 'NAME|ID',
  help: 'Go on with another conversation.',
  complete: async (_typed, chat) => {
    const store = openStore(chat.context)
    return [...(await store.names()), ...store.ids()]
  },
  run: async (text, chat) => {
    goOnWith(await chat.session.load(text), chat)
    // Its own instruction goes on to hold.
    chat.system = chat.session.system ?? chat.system
    await showLastTurns(chat)
  },
}

const list: SlashCommand = {
  name: 'sessions',
  help: 'List the conversations that are kept.',
  run: async (_argument, chat) => {
    const { io } = chat.context
    const summaries = (await openStore(chat.context).list()).map(summaryOf)
    if (summaries.length === 0) return note(chat, 'there are no conversations yet')
    await io.out.write(await listText(summaries, io.out, chat.style))
  },
}

const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Give the conversation a name.',
  run: async (text, chat) => {
    mustBeKept(chat)
    const name = await chat.session.rename(text === '""' ? '' : text)
    await note(chat, `the conversation is named ${JSON.stringify(name)} from now on`)
  },
}

const fork: SlashCommand = {
  name: 'fork',
  argument: '[NAME]',
  help: 'Go on in a copy, and leave the conversation as it is.',
  run: async (text, chat) => {
    mustBeKept(chat)
    chat.session = await chat.session.fork(text === '' ? undefined : text)
    await note(chat, 'a copy from here on; the conversation before stays as it is')
  },
}

export const conversationCommands = [begin, load, list, rename, fork]

function goOnWith(session: Session, chat: ChatState): void {
  chat.session = session
  chat.lastModel = session.lastModel
  chat.tally.held = 0
}

/** @throws FailedError when there is nothing on the disk that could have a name or a copy. */
function mustBeKept({ session }: ChatState): void {
  if (session.isKept) return
  throw new FailedError('nothing of this chat is kept', { hint: '/save FILE writes what was said so far' })
}
