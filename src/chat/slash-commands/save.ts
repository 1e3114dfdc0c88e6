import { exportFormatOf, writeExport } from '../../conversation/export.ts'
import { currentBranch } from '../../conversation/transcript.ts'
import { UsageError } from '../../errors.ts'
import { withTarget } from '../../io/files/output.ts'
import { statsOf } from '../../io/files/stats.ts'
import { completePath, expandHome, pathScope, unquoted } from '../typed-path.ts'
import type { SlashCommand } from './slash-command.ts'

export const save: SlashCommand = {
  name: 'save',
  synonyms: ['/export'],
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
    if (chat.replaceablePath !== path && statsOf(path)?.isFile()) {
      chat.replaceablePath = path
      throw new UsageError(`/save: ${path} already exists`, { hint: 'repeat the command to replace it' })
    }
    const branch = currentBranch(conversation)
    const options = { format, title: conversation.title }
    await withTarget(path, io, (target) => writeExport(branch, options, target, io.signal), '/save')
    chat.replaceablePath = path
    return `saved to ${file}`
  },
}
