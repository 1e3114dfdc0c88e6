import { systemOf } from '../../conversation/conversation.ts'
import { readTextArgument } from '../../fields/document.ts'
import { readNamed } from '../attachments.ts'
import { completePath, existingPath, pathScope } from '../typed-path.ts'
import type { SlashCommand } from './slash-command.ts'

export const system: SlashCommand = {
  name: 'system',
  argument: '[TEXT|@FILE]',
  takesText: true,
  help: 'Set the system prompt; "" removes it; alone, show it.',
  scope: new RegExp(`^@${pathScope.source.slice(1)}`),
  complete: (scope, chat) => (scope === '' ? [] : completePath(scope.slice(1), chat)),
  run: async (text, chat) => {
    if (text?.startsWith('@')) {
      const path = existingPath(text.slice(1), chat.context.io)
      const notify = (text: string): Promise<void> => chat.context.notices.info(text)
      chat.system = await readNamed(path, chat, (io) => readTextArgument(`@${path}`, '/system', { ...io, notify }))
    } else if (text !== undefined) chat.system = text === '""' ? '' : text
    const current = chat.system ?? systemOf(chat.session.path)
    return current ? `system prompt: ${current}` : 'no system prompt'
  },
}
