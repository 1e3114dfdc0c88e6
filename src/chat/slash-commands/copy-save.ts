/** /copy and /save: the last answer to the clipboard, the conversation to a file. */

import { answersIn } from '../../conversation/conversation.ts'
import { chatMessageText } from '../../conversation/message.ts'
import { exportFormatOf, writeExport } from '../../conversation/export.ts'
import { currentBranch } from '../../conversation/transcript.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { type OutputTarget, withTarget } from '../../io/files/output.ts'
import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { statsOf } from '../../io/files/stats.ts'
import { printNotice, type ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'
import { expandHome, completePath, unquoted } from './typed-path.ts'

export const copy: SlashCommand = {
  name: 'copy',
  help: 'Copy the last answer to the clipboard (OSC 52).',
  run: async (_argument, chat) => {
    const answer = answersIn(chat.session.path).at(-1)
    if (!answer) throw new FailedError('/copy: no answer yet')
    if (chat.context.io.env.TERM === 'dumb') {
      throw new FailedError('/copy: this terminal has no clipboard', { hint: 'use /save FILE to write to a file' })
    }
    const text = chatMessageText(answer.message)
    await chat.context.io.out.write(safe`\u001b]52;c;${sanitizeName(Buffer.from(text).toString('base64'))}\u0007`)
    await printNotice(chat, `copied ${text.length} characters, if the terminal allows clipboard access`)
  },
}

export const save: SlashCommand = {
  name: 'save',
  argument: 'FILE',
  help: 'Save the conversation: as .md, .html, .json or .jsonl.',
  complete: (typed, { context }) => completePath(typed, context.io),
  run: async (typed, chat) => {
    const { session, context } = chat
    const file = unquoted(typed)
    const path = expandHome(file, context.io)
    const format = exportFormatOf(path, '/save')
    checkOverwrite(path, chat)
    const { title } = session.conversation
    const write = (target: OutputTarget): Promise<void> =>
      writeExport(currentBranch(session.conversation), { format, title }, target, context.io.signal)
    await withTarget(path, context.io, write, '/save')
    chat.replaceablePath = path
    await printNotice(chat, `saved to ${file}`)
  },
}

/** @throws UsageError for a file that this chat did not write; repeating the command replaces it. */
function checkOverwrite(path: string, chat: ChatState): void {
  if (chat.replaceablePath === path || !statsOf(path)?.isFile()) return
  chat.replaceablePath = path
  throw new UsageError(`/save: ${path} already exists`, { hint: 'repeat the command to replace it' })
}
