import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import type { ChatState } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'

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
    if (name === undefined) return listOf(chat)
    const { tools: own, context } = chat
    const { offerTools, mayRun } = await import('../../answer/offered-tools.ts')
    const { toolsFile } = own.options
    const offered = (own.offered ??= await offerTools({ ...(toolsFile !== undefined && { toolsFile }) }, context))
    const signal = AbortSignal.any([context.io.signal, chat.signal])
    const known = new Set(offered.open.tools)
    const found = await withSpinner(safe`starting ${sanitizeName(name)}`, context, () => offered.open.add(name, signal))
    const lines = found.map((tool) => {
      const { label } = tool
      if (!known.has(tool)) return `${label}: offered; syn asks before each call`
      if (offered.always.delete(tool)) return `${label}: syn asks again before each call`
      return `${label}: ${mayRun(tool, offered) ? '--allow lets it run without asking' : 'syn asks before each call'}`
    })
    return lines.map(sanitizeName).join('\n')
  },
}

function listOf({ tools: { offered } }: ChatState): string {
  const lines = offered?.open.tools.map((tool) => {
    const isAlways = offered.always.has(tool)
      ? `always allowed in this chat; /tools ${tool.label} asks again`
      : undefined
    return `${tool.label}: ${isAlways ?? (offered.open.isAllowed(tool) ? 'allowed by --allow' : 'syn asks before each call')}`
  })
  if (!lines || lines.length === 0) return 'no tools; /tools NAME offers one of tools.json, or search'
  return lines.map(sanitizeName).join('\n')
}
