/** The tools that a run offers the model, and which of their calls need no question. */

import type { Family } from '../api/families.ts'
import { UsageError } from '../errors.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import type { Io } from '../io/io.ts'
import { isObject, type JsonObject } from '../io/json/json.ts'
import { canAsk } from '../io/process/question.ts'
import { shellWord } from '../io/text/shell-word.ts'
import type { OpenTools } from '../tools/open-tools.ts'
import type { Tool, ToolsContext } from '../tools/tool.ts'

export interface ToolOptions {
  readonly tool?: readonly string[]
  readonly allow?: readonly string[]
  readonly toolsFile?: string
  readonly maxSteps?: number
}

/** Those of a chat, which may offer more later. */
export interface ChatTools {
  readonly options: ToolOptions
  /** `undefined` until the first is named: nothing of tools/ is loaded before. */
  offered: OfferedTools | undefined
}

export interface OfferedTools {
  readonly open: OpenTools
  /** Those that the user answered "always" for: in no file, and only until the run ends. */
  readonly always: Set<Tool>
}

/** Starts what the options name. @throws as `openTools`. */
export async function offerTools(options: ToolOptions, context: ToolsContext): Promise<OfferedTools> {
  const { openTools } = await import('../tools/open-tools.ts')
  const { tool: asked = [], allow: allowed = [], toolsFile: file } = options
  return { open: await openTools({ asked, allowed, file }, context), always: new Set() }
}

/** @throws UsageError if there is nobody to ask about a call. Before anything is started. */
export function checkCanAsk({ tool = [], allow = [] }: ToolOptions, io: Io): void {
  const isAllowed = (name: string): boolean => allow.includes(name) || allow.includes(name.replace(/\/.*/s, ''))
  const name = tool.find((one) => !isAllowed(one))
  if (name === undefined) return
  const reason =
    io.in.kind !== 'terminal'
      ? 'standard input is not a terminal'
      : io.in.reader !== undefined
        ? `${io.in.reader} has read standard input`
        : canAsk(io)
          ? undefined
          : 'standard error is not a terminal'
  if (reason === undefined) return
  throw new UsageError(`cannot ask before a tool runs: ${reason}`, { hint: `use --allow ${shellWord(name)}` })
}

/**
 * The fields of a request that offers the tools.
 * @param isFirst Otherwise results are sent, which a forced call would follow without end.
 * @throws UsageError if the request has tools of its own.
 */
export function withTools(request: JsonObject, { open }: OfferedTools, family: Family, isFirst: boolean): JsonObject {
  const own = ['tools', 'functions'].find((name) => request[name] !== undefined)
  if (own !== undefined) throw cannotBeCombined([`${own} in the request`, 'tools that syn runs'])
  const { tool_choice: choice, ...others } = request
  const isForced = choice === 'required' || (isObject(choice) && choice.type !== 'auto' && choice.type !== 'none')
  const kept = isForced && !isFirst ? others : request
  return open.tools.length === 0 ? kept : { ...kept, tools: family.toTools(open.tools) }
}

/** Whether the tool runs without a question. */
export function mayRun(tool: Tool, { open, always }: OfferedTools): boolean {
  return open.isAllowed(tool) || always.has(tool)
}
