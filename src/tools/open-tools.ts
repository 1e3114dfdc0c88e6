/** Finds and starts the tools that the command line names, and nothing else. */

import { UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { typedLine } from '../io/text/shell-word.ts'
import { suggestion } from '../fields/nearest.ts'
import { commandTool } from './command-tool.ts'
import { searchTool } from './search-tool.ts'
import type { Server } from './server.ts'
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
  const servers = new Map<string, Server>()
  let read: Promise<ToolsFile> | undefined
  const readFile = (): Promise<ToolsFile> => (read ??= readToolsFile(file, context.io))

  const toolsOf = async (name: string): Promise<readonly Tool[]> => {
    if (name === searchName) return [await searchTool(context)]
    const found = await readFile()
    const command = found.commands.get(name)
    if (command) return [await commandTool(name, command, found.path, context)]
    const entries = [...found.servers].filter(([server]) => name === server || name.startsWith(`${server}/`))
    const [entry, ...others] = entries
    if (!entry) throw unknownName(name, found)
    if (others.length > 0)
      throw new UsageError(`${name} may be a tool of ${entries.map(([server]) => server).join(' and ')}`)
    const [server] = entry
    const { startServer } = await import('./server.ts')
    const started = servers.get(server) ?? (await startServer(...entry, found.path, context))
    servers.set(server, started)
    const named = name === server ? started.tools : started.tools.filter(({ label }) => label === name)
    if (named.length > 0 || name === server) return named
    const labels = started.tools.map(({ label }) => label)
    throw new UsageError(`the server ${server} has no tool ${JSON.stringify(name)}${suggestion(name, labels)}`, {
      hint: `use syn tools list ${typedLine([server])} to list its tools`,
    })
  }
  const close = async (kept: readonly Server[] = []): Promise<void> => {
    const ended = [...servers].filter(([, server]) => !kept.includes(server))
    for (const [name] of ended) servers.delete(name)
    await Promise.all(ended.map(([, server]) => server.close()))
  }
  const add = async (name: string): Promise<readonly Tool[]> => {
    const before = [...servers.values()]
    try {
      const found = opened.get(name) ?? (await toolsOf(name))
      const added = found.filter((tool) => !tools.includes(tool))
      for (const [at, { name: sent, label }] of added.entries()) {
        const other = [...tools, ...added.slice(0, at)].find((one) => one.name === sent)
        if (other)
          throw new UsageError(`the tools ${other.label} and ${label} have the same name for the model: ${sent}`)
      }
      append(tools, added)
      opened.set(name, found)
      return found
    } catch (error) {
      await close(before)
      throw error
    }
  }
  try {
    if (file !== undefined) await readFile()
    for (const name of asked) await add(name)
    for (const name of allowed) for (const tool of await add(name)) allowedTools.add(tool)
  } catch (error) {
    await close()
    throw error
  }
  return { tools, isAllowed: (tool) => allowedTools.has(tool), add, close: () => close() }
}

function unknownName(name: string, file: ToolsFile): UsageError {
  const names = toolNames(file)
  return new UsageError(`no tool or server ${JSON.stringify(name)} in ${file.path}${suggestion(name, names)}`, {
    hint: `available: ${names.join(', ')}`,
  })
}
