import { systemOf } from '../../conversation/conversation.ts'
import { openStore } from '../../conversation/store.ts'
import { printStillAttached } from '../attachments.ts'
import { showLastTurns } from '../greeting.ts'
import { printNotice, switchTo } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const load: SlashCommand = {
  name: 'load',
  synonyms: ['/resume'],
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
