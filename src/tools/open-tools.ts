/** Finds and starts the tools that the command line names, and nothing else. */

import { UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { suggestion } from '../fields/nearest.ts'
import { commandTool } from './command-tool.ts'
import { searchTool } from './search-tool.ts'
import type { Tool, ToolsContext } from './tool.ts'
import { toolNames, readToolsFile, searchName, type ToolsFile } from './tools-file.ts'

export interface OpenTools {
  readonly tools: readonly Tool[]
  /** Whether `--allow` named it or its server. By source and own name: tools of two servers may be sent with one name. */
  isAllowed(tool: Tool): boolean
  /** Starts what is named, and was not before. @returns what it stands for. @throws as `openTools`. */
  add(name: string): Promise<readonly Tool[]>
  /** Ends servers and all that they started. */
  close(): Promise<void>
}

export interface NamedTools {
  /** Tools, servers, `SERVER/TOOL`, or `search`. */
  readonly asked: readonly string[]
  /** Those of `--allow`. */
  readonly allowed: readonly string[]
  /** That of `--tools-file`. */
  readonly file: string | undefined
}

/**
 * @throws UsageError for a name that neither the file nor a server has, an invalid file, or two tools of one name; FailedError
 * if a server does not start. Nothing that was started is left then.
 */
export async function openTools({ asked, allowed, file }: NamedTools, context: ToolsContext): Promise<OpenTools> {
  const tools: Tool[] = []
  const allowedTools = new Set<Tool>()
  const opened = new Map<string, readonly Tool[]>()
  let read: Promise<ToolsFile> | undefined
  const readFile = (): Promise<ToolsFile> => (read ??= readToolsFile(file, context.io))

  const open = async (name: string): Promise<readonly Tool[]> => {
    if (name === searchName) return [await searchTool(context)]
    const { path, commands } = await readFile()
    const command = commands.get(name)
    if (command) return [await commandTool(name, command, path, context)]
    throw unknownName(name, await readFile())
  }
  const add = async (name: string): Promise<readonly Tool[]> => {
    const found = opened.get(name) ?? (await open(name))
    const added = found.filter((tool) => !tools.includes(tool))
    for (const tool of added) {
      const other = tools.find((one) => one.name === tool.name)
      if (other)
        throw new UsageError(
          `the tools ${other.label} and ${tool.label} have the same name for the model: ${tool.name}`,
        )
    }
    append(tools, added)
    opened.set(name, found)
    return found
  }
  if (file !== undefined) await readFile()
  for (const name of asked) await add(name)
  for (const name of allowed) for (const tool of await add(name)) allowedTools.add(tool)
  return { tools, isAllowed: (tool) => allowedTools.has(tool), add, close: () => Promise.resolve() }
}

function unknownName(name: string, file: ToolsFile): UsageError {
  const names = toolNames(file)
  return new UsageError(`no tool or server ${JSON.stringify(name)} in ${file.path}${suggestion(name, names)}`, {
    hint: `available: ${names.join(', ')}`,
  })
}
