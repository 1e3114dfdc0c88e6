/** The command that writes the conversation to a file. */

import { statSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { conversationMarkdown, transcriptOf } from '../../conversation/transcript.ts'
import { jsonLines, jsonText } from '../../io/json.ts'
import { openTarget } from '../../io/output.ts'
import { messagesOf } from '../../conversation/conversation.ts'
import { expandHome, pathsLike, unquoted } from '../path.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'

const save: SlashCommand = {
  name: 'save',
  argument: 'FILE',
  help: 'Write it to a file: .json, .jsonl, or else Markdown.',
  complete: (typed, { context }) => pathsLike(typed, context.io),
  run: async (typed, chat) => {
    const { session, context } = chat
    const file = unquoted(typed)
    const place = expandHome(file, context.io)
    mayBeWritten(place, chat)
    const target = await openTarget(place, context.io, '/save')
    const { path } = session
    if (file.endsWith('.jsonl')) await target.write(jsonLines(messagesOf(path), target))
    else if (file.endsWith('.json')) await target.write(jsonText(messagesOf(path), target))
    else await target.write(await conversationMarkdown(session.title, transcriptOf(path), target))
    await target.commit()
    chat.mayReplace = place
    await note(chat, `written to ${file}`)
  },
}

export const keepCommands = [save]

/** @throws UsageError for a file that this chat didn't write, once. */
function mayBeWritten(path: string, chat: ChatState): void {
  if (chat.mayReplace === path || !statSync(path, { throwIfNoEntry: false })?.isFile()) return
  chat.mayReplace = path
  throw new UsageError(`/save: ${path} is there already`, { hint: 'the same command once more replaces it' })
}
