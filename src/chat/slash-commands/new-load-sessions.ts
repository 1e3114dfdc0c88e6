/** /new, /load and /sessions: switch between conversations. */

import { writeList } from '../../conversation/list.ts'
import { systemOf } from '../../conversation/conversation.ts'
import type { Session } from '../../conversation/session.ts'
import { openStore } from '../../conversation/store.ts'
import { printStillAttached } from '../attachments.ts'
import { currentModelName } from '../answer.ts'
import { showLastTurns } from '../greeting.ts'
import { printNotice, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const newConversation: SlashCommand = {
  name: 'new',
  help: 'Start a new conversation.',
  run: async (_argument, chat) => {
    switchTo(chat.session.startNew(), chat)
    const model = await currentModelName(chat)
    const other = model === chat.announcedModel ? '' : ` with ${model}`
    chat.announcedModel = model
    await printNotice(chat, `started a new conversation${other}`)
    await printStillAttached(chat)
  },
}

export const load: SlashCommand = {
  name: 'load',
  argument: 'NAME|ID',
  help: 'Continue another conversation.',
  complete: (_typed, chat) => openStore(chat.context).namesAndIds(),
  run: async (text, chat) => {
    switchTo(await chat.session.load(text), chat)
    // The system prompt of the loaded conversation applies.
    chat.system = systemOf(chat.session.path) ?? chat.system
    await showLastTurns(chat)
    if (chat.session.serviceWarning !== undefined) await printNotice(chat, chat.session.serviceWarning)
    await printStillAttached(chat)
  },
}

export const sessions: SlashCommand = {
  name: 'sessions',
  help: 'List the saved conversations.',
  run: async (_argument, chat) => {
    const { io } = chat.context
    const summaries = await openStore(chat.context).list()
    if (summaries.length === 0) return printNotice(chat, 'no saved conversations')
    await writeList(summaries, io.out, chat.style)
  },
}

function switchTo(session: Session, chat: ChatState): void {
  chat.session = session
  chat.lastModel = session.conversation.lastModel
}
