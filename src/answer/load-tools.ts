import type { CommandContext } from '../context.ts'
import type { Fields } from '../fields/field.ts'
import type { toolOptions } from '../fields/request-options.ts'

/** Loads what runs the tools that a command line names, if any. @throws UsageError if there is nobody to ask about a call. */
export async function loadTools({ options, isPreview, io }: CommandContext<Fields, typeof toolOptions>) {
  if (!options.tool && !options.allow) return undefined
  const tools = await import('./tool-turns.ts')
  if (!isPreview) tools.checkCanAsk(options, io)
  return tools
}
