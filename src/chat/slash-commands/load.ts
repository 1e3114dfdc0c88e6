import { systemOf } from '../../conversation/conversation.ts'
import { openStore } from '../../conversation/store.ts'
import { pluralize } from '../../io/text/plural.ts'
import { relativeTime } from '../../io/time/time.ts'
import { withStillAttached } from '../attachments.ts'
import { showLastTurns } from '../greeting.ts'
import { switchTo } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

export const load: SlashCommand = {
  name: 'load',
  synonyms: ['/resume'],
  argument: 'NAME|ID',
  help: 'Continue another conversation.',
  complete: async (_scope, { context }) => {
    const summaries = await openStore(context, { notify: () => Promise.resolve() }).list()
    return summaries.map((one) => ({
      text: one.name ?? one.id,
      shown: one.name ?? one.title,
      help: `${relativeTime(Date.parse(one.updated), context.io.now())} · ${pluralize(one.turns, 'message')}`,
    }))
  },
  run: async (text = '', chat) => {
    switchTo(await chat.session.load(text), chat)
    // The system prompt of the loaded conversation applies.
    chat.system = systemOf(chat.session.path) ?? chat.system
    await showLastTurns(chat)
    return withStillAttached(chat.session.serviceWarning, chat)
  },
}
