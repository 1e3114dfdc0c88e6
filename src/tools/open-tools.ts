/** Finds and starts the tools that the command line names, and nothing else. */

import { operations } from '../api/operations.ts'
import { decodeResults } from '../api/search/decode.ts'
import { UsageError } from '../errors.ts'
import type { Values } from '../fields/field.ts'
import { suggestion } from '../fields/suggestion.ts'
import { toolOptions } from '../fields/request-options.ts'
import { quotedNames } from '../input/records.ts'
import { commandTool } from './command-tool.ts'
import type { Server } from './server.ts'
import { createTool, type Tool, type ToolsContext } from './tool.ts'
import { toolNames, readToolsFile, searchName, type ToolsFile } from './tools-file.ts'

export type OpenTools = Awaited<ReturnType<typeof openTools>>

/**
 * Opens what the options name.
 * @param begin Starts what is named, with a signal that stops that, or goes on without it.
 * @returns also `tools`, which the model may call now, and `maxSteps`, how many requests there may be for one answer.
 * @throws as `add`. Nothing that was started is left then.
 */
export async function openTools(
  options: Values<typeof toolOptions>,
  context: ToolsContext,
  begin = (_name: string, start: (signal: AbortSignal) => Promise<unknown>) => start(context.io.signal),
) {
  const { tool: asked = [], allow: allowed = [], toolsFile, maxSteps = toolOptions.maxSteps.default } = options
  /** What the model may call, with the tools of a server in an array that it changes. */
  const offered: (readonly Tool[])[] = []
  const current = (): readonly Tool[] => {
    const all = [...new Set(offered.flat())].filter(({ isGone }) => !isGone)
    // A server may add one whose name another has.
    return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at)
  }
  const opened = new Map<string, readonly Tool[]>()
  const servers = new Map<string, Server>()
  let read: Promise<ToolsFile> | undefined
  const readFile = (): Promise<ToolsFile> => (read ??= readToolsFile(toolsFile, context.io))

  const start = async (name: string, signal: AbortSignal): Promise<readonly Tool[]> => {
    if (name === searchName) return [searchTool(context)]
    const file = await readFile()
    const command = file.commands.get(name)
    if (command) return [await commandTool(name, command, file.path, context)]
    const [entry, other] = [...file.servers].filter(([server]) => name === server || name.startsWith(`${server}/`))
    if (!entry) throw unknown('tool or server', name, toolNames(file), file.path)
    const [server] = entry
    if (other) throw new UsageError(`${name} may be a tool of ${server} and of ${other[0]}`)
    const { startServer } = await import('./server.ts')
    const started = servers.get(server) ?? (await startServer(...entry, file.path, signal, context))
    servers.set(server, started)
    const found = name === server ? started.tools : started.tools.filter(({ label }) => label === name)
    if (found.length > 0 || name === server) return found
    const labels = started.tools.map(({ label }) => label)
    throw unknown('tool', name, labels, `the server ${server}`)
  }
  /**
   * Starts what is named, and was not before.
   * @param name A tool, a server, `SERVER/TOOL`, or `search`.
   * @param signal Stops the start (default: that of the run).
   * @returns what it stands for.
   * @throws UsageError for a name that neither the file nor a server has, or an invalid file; FailedError if a server does not
   * start.
   */
  const find = async (name: string, signal = context.io.signal): Promise<readonly Tool[]> => {
    const found = opened.get(name) ?? (await start(name, signal))
    opened.set(name, found)
    return found
  }
  /** Finds it as `find` does, and lets the model call it. @throws also UsageError for two tools that have one name for the model. */
  const add = async (name: string, signal?: AbortSignal): Promise<readonly Tool[]> => {
    const found = await find(name, signal)
    const all = [...new Set([...offered.flat(), ...found])]
    for (const [at, { name: sent, label }] of all.entries()) {
      const other = all.slice(0, at).find((one) => one.name === sent)
      if (other) throw new UsageError(`${other.label} and ${label} have the same name for the model: ${sent}`)
    }
    if (!offered.includes(found) && allowed.includes(name)) for (const tool of found) tool.approvedBy = 'option'
    offered.push(found)
    return found
  }
  /** Ends servers and all that they started. */
  const close = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.close()))
  }
  try {
    if (toolsFile !== undefined) await readFile()
    for (const name of new Set([...asked, ...allowed])) await begin(name, (signal) => add(name, signal))
  } catch (error) {
    await close()
    throw error
  }
  return {
    get tools() {
      return current()
    },
    /** Lets servers change their tools. @param wait Shows which one is waited for. @throws as the signal, or that of the run. */
    refresh: async (own: AbortSignal | undefined, wait: (name: string, read: () => Promise<void>) => Promise<void>) => {
      const signal = AbortSignal.any([context.io.signal, own ?? context.io.signal])
      for (const [name, server] of servers) await wait(name, () => server.refresh(signal))
    },
    /** What the servers of these tools say of them; empty if they say nothing. */
    instructions: (tools: readonly Tool[]) =>
      [...servers.values()].flatMap((server) => server.instructions(tools)).join('\n\n'),
    maxSteps,
    readFile,
    find,
    add,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function unknown(kind: string, name: string, names: readonly string[], where: string): UsageError {
  const hint = `available: ${quotedNames(names) || 'none'}`
  return new UsageError(`no ${kind} ${JSON.stringify(name)} in ${where}${suggestion(name, names)}`, { hint })
}

function searchTool(context: ToolsContext): Tool {
  const source = {
    name: searchName,
    label: searchName,
    description: 'Search the web. Returns the URL, title, date and an excerpt of each page.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to search for' } },
      required: ['query'],
    },
    // The client has time limits of its own.
    timeout: Infinity,
  }
  const run = async (args: object, signal: AbortSignal): Promise<{ text: string }> => {
    const { json } = await context.client.send(operations.search, { ...args }, { signal })
    const results = decodeResults(json).map(({ url, title, published, snippet }) =>
      [url, title, published, snippet].filter(Boolean).join('\n'),
    )
    return { text: results.length === 0 ? 'no results\n' : `${results.join('\n\n')}\n` }
  }
  return createTool({ ...source, run }, context)
}
