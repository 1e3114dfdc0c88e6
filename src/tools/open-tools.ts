/** Finds and starts the tools that the command line names, and nothing else. */

import { UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { suggestion } from '../fields/nearest.ts'
import { quotedNames } from '../input/records.ts'
import { commandTool } from './command-tool.ts'
import { searchTool } from './search-tool.ts'
import type { Server } from './server.ts'
import type { Tool, ToolsContext } from './tool.ts'
import { toolNames, readToolsFile, searchName, type ToolsFile } from './tools-file.ts'

export interface OpenTools {
  readonly tools: readonly Tool[]
  /** Whether `--allow` named it or its server. By source and own name: tools of two servers may be sent with one name. */
  isAllowed(tool: Tool): boolean
  /**
   * Starts what is named, and was not before, or has ended.
   * @param signal Stops the start (default: that of the run).
   * @returns what it stands for.
   * @throws as `openTools`.
   */
  add(name: string, signal?: AbortSignal): Promise<readonly Tool[]>
  /** Ends servers and all that they started. */
  close(): Promise<void>
}

/**
 * @param named Tools, servers, `SERVER/TOOL`, or `search`: `allowed` are those of `--allow`. `file` is that of `--tools-file`.
 * @throws UsageError for a name that neither the file nor a server has, an invalid file, or two tools of one name; FailedError
 * if a server does not start. Nothing that was started is left then.
 */
export async function openTools(
  named: {
    readonly asked: readonly string[]
    readonly allowed: readonly string[]
    readonly file: string | undefined
    /** Without a model, tools may have the same name for it. */
    readonly mayClash?: boolean
  },
  context: ToolsContext,
): Promise<OpenTools> {
  const tools: Tool[] = []
  const allowed = new Set<Tool>()
  const opened = new Map<string, readonly Tool[]>()
  const servers = new Map<string, Server>()
  let read: Promise<ToolsFile> | undefined
  const readFile = (): Promise<ToolsFile> => (read ??= readToolsFile(named.file, context.io))

  const find = async (name: string, signal: AbortSignal): Promise<readonly Tool[]> => {
    if (name === searchName) return [await searchTool(context)]
    const file = await readFile()
    const command = file.commands.get(name)
    if (command) return [await commandTool(name, command, file.path, context)]
    const [entry, other] = [...file.servers].filter(([server]) => name === server || name.startsWith(`${server}/`))
    if (!entry) throw unknown('tool or server', name, toolNames(file), file.path)
    const [server] = entry
    if (other) throw new UsageError(`${name} may be a tool of ${server} and of ${other[0]}`)
    const { startServer } = await import('./server.ts')
    const stoppable = { ...context, io: { ...context.io, signal } }
    const started = servers.get(server) ?? (await startServer(...entry, file.path, stoppable))
    servers.set(server, started)
    const found = name === server ? started.tools : started.tools.filter(({ label }) => label === name)
    if (found.length > 0 || name === server) return found
    const labels = started.tools.map(({ label }) => label)
    throw unknown('tool', name, labels, `the server ${server}`)
  }
  const add = async (name: string, signal = context.io.signal): Promise<readonly Tool[]> => {
    const found = opened.get(name) ?? (await find(name, signal))
    for (const server of servers.values()) {
      if (server.tools.some((tool) => found.includes(tool))) await server.restart(signal)
    }
    const added: Tool[] = []
    for (const tool of found.filter((one) => !tools.includes(one))) {
      const other = [...tools, ...added].find((one) => one.name === tool.name)
      if (other && !named.mayClash)
        throw new UsageError(`${other.label} and ${tool.label} have the same name for the model: ${tool.name}`)
      added.push(tool)
    }
    append(tools, added)
    opened.set(name, found)
    return found
  }
  const close = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.close()))
  }
  try {
    if (named.file !== undefined) await readFile()
    for (const name of named.asked) await add(name)
    for (const name of named.allowed) for (const tool of await add(name)) allowed.add(tool)
  } catch (error) {
    await close()
    throw error
  }
  return { tools, isAllowed: (tool) => allowed.has(tool), add, close }
}

function unknown(kind: string, name: string, names: readonly string[], where: string): UsageError {
  const hint = `available: ${quotedNames(names) || 'none'}`
  return new UsageError(`no ${kind} ${JSON.stringify(name)} in ${where}${suggestion(name, names)}`, { hint })
}
