import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { askAgain } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

const none = 'no tools; /tools NAME offers one of tools.json, or search'

export const tools: SlashCommand = {
  name: 'tools',
  argument: '[NAME]',
  help: 'Offer a tool, or ask about it again; alone, list them.',
  complete: async (_typed, chat) => {
    const { readToolsFile, toolNames } = await import('../../tools/tools-file.ts')
    const file = await readToolsFile(chat.tools.options.toolsFile, chat.context.io)
    return toolNames(file).map((text) => ({ text }))
  },
  run: async (name, chat) => {
    const { tools: own, context } = chat
    const { openTools } = await import('../../tools/open-tools.ts')
    const offered = (own.offered ??= await openTools(own.options, context))
    let shown = offered.tools
    if (name !== undefined) {
      const signal = AbortSignal.any([context.io.signal, chat.signal])
      shown = await withSpinner(safe`starting ${sanitizeName(name)}`, context, () => offered.add(name, signal))
      askAgain(shown)
    }
    const lines = shown.map(({ label, approvedBy }) => {
      if (approvedBy === 'user')
        return `${label}: always allowed in this chat, with any arguments; /tools ${label} asks again`
      return `${label}: ${approvedBy ? 'allowed by --allow' : 'syn asks before each call'}`
    })
    return lines.map(sanitizeName).join('\n') || none
  },
}
