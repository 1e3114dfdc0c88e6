import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import type { Tool } from '../../tools/tool.ts'
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
    if (name === undefined && !own.offered) return none
    const { offerTools, mayRun } = await import('../../answer/tool-turns.ts')
    const { toolsFile } = own.options
    const offered = (own.offered ??= await offerTools(toolsFile === undefined ? {} : { toolsFile }, context))
    const { open, always } = offered
    const signal = AbortSignal.any([context.io.signal, chat.signal])
    const start = (named: string): Promise<readonly Tool[]> =>
      withSpinner(safe`starting ${sanitizeName(named)}`, context, () => open.add(named, signal))
    const shown = name === undefined ? open.tools : await start(name)
    if (name !== undefined) shown.forEach((tool) => always.delete(tool))
    const lines = shown.map((tool) => {
      if (always.has(tool)) return `${tool.label}: always allowed in this chat; /tools ${tool.label} asks again`
      return `${tool.label}: ${mayRun(tool, offered) ? 'allowed by --allow' : 'syn asks before each call'}`
    })
    return lines.map(sanitizeName).join('\n') || none
  },
}
