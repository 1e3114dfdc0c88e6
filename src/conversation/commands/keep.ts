/** The command that writes the conversation to a file. */

import { conversationMarkdown } from '../../render/conversations/text.ts'
import { jsonLines, jsonText } from '../../render/json.ts'
import { openTarget } from '../../render/target.ts'
import { messagesOf } from '../../transcript/messages.ts'
import { spokenBy } from '../../transcript/spoken.ts'
import { expandHome, pathsLike } from '../path.ts'
import { note } from '../state.ts'
import type { SlashCommand } from './command.ts'

const save: SlashCommand = {
  name: 'save',
  argument: 'FILE',
  help: 'Write it to a file: .json, .jsonl, or else Markdown.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (file, chat) => {
    const { session, context } = chat
    const target = await openTarget(expandHome(file, context.io), context.io)
    const { path } = session
    if (file.endsWith('.jsonl')) await target.write(jsonLines(messagesOf(path), target))
    else if (file.endsWith('.json')) await target.write(jsonText(messagesOf(path), target))
    else await target.write(conversationMarkdown(session.title, spokenBy(path), target))
    await target.commit()
    await note(chat, `written to ${file}`)
  },
}

export const keepCommands = [save]
