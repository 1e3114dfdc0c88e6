import { exportFormatOf, writeExport } from '../../conversation/export.ts'
import { currentBranch } from '../../conversation/transcript.ts'
import { UsageError } from '../../errors.ts'
import { withTarget } from '../../io/files/output.ts'
import { statsOf } from '../../io/files/stats.ts'
import type { ChatState } from '../state.ts'
import { completePath, expandHome, pathScope, unquoted } from '../typed-path.ts'
import type { SlashCommand } from './slash-command.ts'

export const save: SlashCommand = {
  name: 'save',
  argument: 'FILE',
  help: 'Save the conversation: as .md, .html, .json or .jsonl.',
  scope: pathScope,
  complete: completePath,
  run: async (typed = '', chat) => {
    const { conversation } = chat.session
    const { io } = chat.context
    const file = unquoted(typed)
    const path = expandHome(file, io)
    const format = exportFormatOf(path, '/save')
    checkOverwrite(path, chat)
    const options = { format, title: conversation.title }
    await withTarget(
      path,
      io,
      (target) => writeExport(currentBranch(conversation), options, target, io.signal),
      '/save',
    )
    chat.replaceablePath = path
    return `saved to ${file}`
  },
}

/** @throws UsageError for a file that this chat did not write; repeating the command replaces it. */
function checkOverwrite(path: string, chat: ChatState): void {
  if (chat.replaceablePath === path || !statsOf(path)?.isFile()) return
  chat.replaceablePath = path
  throw new UsageError(`/save: ${path} already exists`, { hint: 'repeat the command to replace it' })
}
