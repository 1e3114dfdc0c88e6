/** /copy and /save: the last answer to the clipboard, the conversation to a file. */

import { statSync } from 'node:fs'
import { messagesOf } from '../../conversation/conversation.ts'
import { messageText } from '../../conversation/message.ts'
import { conversationMarkdown, transcriptOf } from '../../conversation/transcript.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { jsonLines, jsonText } from '../../io/json.ts'
import { openTarget } from '../../io/output.ts'
import { note, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'
import { expandHome, pathsFrom, unquoted } from './typed-path.ts'

export const copy: SlashCommand = {
  name: 'copy',
  help: "Copy the last answer to the terminal's clipboard (OSC 52).",
  run: async (_argument, chat) => {
    const answer = chat.session.path.findLast((node) => node.kind === 'answer')
    if (!answer) throw new FailedError('there is no answer to copy yet')
    if (chat.context.io.env.TERM === 'dumb') {
      throw new FailedError('this terminal has no clipboard', { hint: '/save FILE writes to a file' })
    }
    const text = messageText(answer.message)
    await chat.context.io.out.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
    await note(chat, `copied ${text.length} characters, where the terminal allows it`)
  },
}

export const save: SlashCommand = {
  name: 'save',
  argument: 'FILE',
  help: 'Write it to a file: .json, .jsonl, or else Markdown.',
  complete: (typed, { context }) => pathsFrom(typed, context.io),
  run: async (typed, chat) => {
    const { session, context } = chat
    const file = unquoted(typed)
    const path = expandHome(file, context.io)
    checkOverwrite(path, chat)
    const target = await openTarget(path, context.io, '/save')
    if (file.endsWith('.jsonl')) await target.write(jsonLines(messagesOf(session.path), target))
    else if (file.endsWith('.json')) await target.write(jsonText(messagesOf(session.path), target))
    else await target.write(await conversationMarkdown(session.title, transcriptOf(session.path), target))
    await target.commit()
    chat.mayReplace = path
    await note(chat, `written to ${file}`)
  },
}

/** @throws UsageError for a file that this chat didn't write; the same command again replaces it. */
function checkOverwrite(path: string, chat: ChatState): void {
  if (chat.mayReplace === path || !statSync(path, { throwIfNoEntry: false })?.isFile()) return
  chat.mayReplace = path
  throw new UsageError(`/save: ${path} is there already`, { hint: 'the same command once more replaces it' })
}
