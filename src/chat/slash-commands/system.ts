import { systemOf } from '../../conversation/conversation.ts'
import { readTextArgument } from '../../fields/document.ts'
import { readNamed } from '../attachments.ts'
import type { ChatState } from '../state.ts'
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
    if (text !== undefined) chat.system = text === '""' ? '' : await readSystem(text, chat)
    const current = chat.system ?? systemOf(chat.session.path)
    return current ? `system prompt: ${current}` : 'no system prompt'
  },
}

/** As `--system` reads it. */
function readSystem(text: string, chat: ChatState): Promise<string> {
  if (!text.startsWith('@')) return Promise.resolve(text)
  const path = existingPath(text.slice(1), chat.context.io)
  return readNamed(path, chat, (io) => readTextArgument(`@${path}`, '/system', io))
}
