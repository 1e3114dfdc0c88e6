import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import type { ToolFields } from './tool-turns.ts'

/**
 * Loads what runs the tools that a command line names, if any. In a chat, they may also be named later.
 * @throws UsageError for a file of which none is named, or if there is nobody to ask about a call.
 */
export async function loadTools(context: CommandContext<Fields, ToolFields>, isChat = false) {
  const { options, isPreview, io } = context
  if (!options.tool && !options.allow) {
    if (options.toolsFile === undefined || isChat) return undefined
    throw new UsageError('--tools-file alone offers no tool to the model', {
      hint: 'name each tool with -T NAME, or with --allow NAME to run it without asking',
    })
  }
  const tools = await import('./tool-turns.ts')
  if (!isPreview) tools.checkCanAsk(options, io)
  return tools
}
