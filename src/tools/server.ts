/** The tools of an MCP server. Loaded only when a server is named: its client takes 60 ms to load. */

import {
  type CallToolResult,
  Client,
  parseJSONRPCMessage,
  type RequestOptions,
  StreamableHTTPClientTransport,
  type StreamableHTTPReconnectionOptions,
  type Transport,
} from '@modelcontextprotocol/client'
import * as v from 'valibot'
import { errorMessage, FailedError, UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { homeDirectory } from '../io/files/directories.ts'
import { statsOf } from '../io/files/stats.ts'
import { type JsonObject, jsonPath, parseJsonIfValid } from '../io/json/json.ts'
import { packageVersion } from '../io/process/package.ts'
import { type ProcessGroup, startGroup } from '../io/process/process-group.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { pause } from '../io/time/timer.ts'
import { environmentFor, expandValues, expandVariables } from './environment.ts'
import { type CallOutcome, createTool, type Tool, type ToolsContext, withinSeconds } from './tool.ts'
import type { ServerEntry } from './tools-file.ts'

export interface Server {
  readonly tools: readonly Tool[]
  /** Ends it and all that it started. */
  close(): Promise<void>
}

/** In bytes: the most that a server may send for one call, and for its start and the list of its tools together. */
const maxReceived = 16 * 1024 * 1024

/** In bytes: what a line counts for. 16 MiB of short messages would take 20 s to decode, and nobody reads that many. */
const lineCost = 1024

const floodText = 'sent more than 16 MiB, or too many messages'

/** No model takes as many. */
const maxTools = 1000

/** No list that is of use has as many. */
const maxPages = 64

/** In milliseconds: how long a server may take to end by itself, after its stdin or its session has ended. */
const longestEnd = 500

/** In milliseconds: the time limits of the client are not used, as ours have other texts. */
const never = 2 ** 31 - 1

/** Its tools are checked one by one: one that is not accepted is left out. */
const listPage = v.object({ tools: v.array(v.unknown()), nextCursor: v.optional(v.string()) })

const listedTool = v.object({
  // Those that MCP allows are plain; others may control a terminal.
  name: v.pipe(v.string(), v.regex(/^[\w./-]{1,128}$/)),
  description: v.optional(v.string()),
  inputSchema: v.looseObject({ type: v.literal('object') }),
  annotations: v.optional(v.object({ readOnlyHint: v.optional(v.boolean()) })),
})

interface Connection {
  readonly transport: Transport
  /** How many bytes may still be received. */
  left: number
  /** Why it failed, such as `exited with status 1`. */
  failure?: string
  /** The end of what the server wrote to stderr. */
  errors: string
}

/**
 * Starts a server or connects to it, and lists its tools.
 * @param path The file.
 * @param starting Stops the start.
 * @throws UsageError for a variable or a URL that is not accepted; FailedError if it does not start or list its tools in time,
 * and nothing of it is left then; the reason of the signal.
 */
export async function startServer(
  name: string,
  entry: ServerEntry,
  path: string,
  starting: AbortSignal,
  context: ToolsContext,
): Promise<Server> {
  const { timeout } = entry
  const where = `${path}: ${jsonPath(['mcpServers', name])}`
  let client: Client
  let connection: Connection
  const reasonOf = (error: unknown): string => connection.failure ?? oneLine(errorMessage(error))
  const call = async (tool: string, args: JsonObject, signal: AbortSignal): Promise<CallOutcome> => {
    connection.left = maxReceived
    // Not `callTool`, which checks what a tool returns: it is for the model, and need not have the shape that was promised.
    const request = { method: 'tools/call', params: { name: tool, arguments: args } } as const
    try {
      return outcomeOf(await client.request(request, { signal, timeout: never }))
    } catch (error) {
      throw new FailedError(`server ${name}: ${reasonOf(error)}`)
    }
  }
  const start = async (signal: AbortSignal): Promise<unknown[]> => {
    connection = entry.url === undefined ? program(name, entry, where, context) : website(entry, where, context)
    client = new Client({ name: 'syn', version: packageVersion() })
    try {
      return await withinSeconds(timeout, signal, async (stop) => {
        const options = { signal: stop, timeout: never }
        await client.connect(connection.transport, options)
        return await listTools(client, options)
      })
    } catch (error) {
      connection.failure ??= reasonOf(error)
      await connection.transport.close()
      signal.throwIfAborted()
      // After the message of a crash, Node and others print where it was, and their version.
      const lines = connection.errors.split('\n').filter((line) => !/^(\s|$|[{}]|Node\.js v)/.test(line))
      const hint = oneLine(lines.at(-1) ?? '') || undefined
      throw new FailedError(`the server ${name} does not start: ${connection.failure}`, { hint })
    }
  }
  const restart = async (signal: AbortSignal): Promise<void> => {
    if (connection.failure !== undefined) await start(signal)
  }
  const listed = await start(starting)
  const accepted = listed.filter(isAccepted)
  const left = `leaving out ${listed.length - accepted.length} of ${listed.length} tools, for their name or schema`
  if (accepted.length < listed.length) await context.notices.info(`server ${name}: ${left}`)
  const tools = accepted.map(({ name: own, description, inputSchema, annotations }) => {
    const source = {
      name: `${name}__${own}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
      label: `${name}/${own}`,
      description,
      parameters: inputSchema as JsonObject,
      claimsReadOnly: annotations?.readOnlyHint === true,
    }
    const run = (args: JsonObject, stop: AbortSignal): Promise<CallOutcome> => call(own, args, stop)
    return createTool({ ...source, timeout, restart, run }, context)
  })
  return { tools, close: () => connection.transport.close() }
}

/** Not `client.listTools`, which writes to standard output and standard error. @throws FailedError for a list that is too long. */
async function listTools(client: Client, options: RequestOptions): Promise<unknown[]> {
  const tools: unknown[] = []
  let cursor = client.getServerCapabilities()?.tools ? '' : undefined
  for (let pages = 0; cursor !== undefined; pages++) {
    if (pages === maxPages) throw new FailedError('its list of tools does not end')
    const params = cursor === '' ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, listPage, options)
    append(tools, page.tools)
    if (tools.length > maxTools) throw new FailedError(`lists more than ${maxTools} tools`)
    cursor = page.nextCursor
  }
  return tools
}

/** JSON over HTTP may be nested too deep to be sent on. */
function isAccepted(tool: unknown): tool is v.InferOutput<typeof listedTool> {
  try {
    return v.is(listedTool, tool) && parseJsonIfValid(JSON.stringify(tool.inputSchema)) !== undefined
  } catch {
    return false
  }
}

function outcomeOf({ content, structuredContent, isError }: CallToolResult): CallOutcome {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource_link') return `${part.name}: ${part.uri}`
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    return `[${(part.type === 'resource' ? part.resource : part).mimeType ?? 'binary data'} left out]`
  })
  const isEmpty = parts.length === 0 && structuredContent !== undefined
  const text = isEmpty ? JSON.stringify(structuredContent) : parts.join('\n')
  return { text, failure: isError ? '' : undefined }
}

/** A server that this program starts. */
function program(name: string, entry: ServerEntry, where: string, { io, notices }: ToolsContext): Connection {
  const variables = environmentFor('server', entry.env, where, io)
  const home = homeDirectory(io.env)
  // Not the working directory, which may be somebody else's: npx takes a package from there before any other.
  const cwd = entry.cwd ?? (statsOf(home)?.isDirectory() ? home : '/')
  if (!statsOf(cwd)?.isDirectory()) throw new UsageError(`${where}.cwd: ${sanitizeName(cwd)} is not a directory`)
  let group: ProcessGroup | undefined
  let rest = ''
  const fail = (failure: string): void => {
    connection.failure ??= failure
    group?.kill()
  }
  const receive = (text: string): void => {
    const lines = text.split('\n')
    connection.left -= Buffer.byteLength(text) + lineCost * (lines.length - 1)
    if (connection.left < 0) return fail(floodText)
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = parseJsonIfValid(line)
      if (message === undefined && line.includes('"jsonrpc"')) return fail('sent invalid or deeply nested JSON')
      try {
        transport.onmessage?.(parseJSONRPCMessage(message))
      } catch {
        // Many servers print other lines, too.
      }
    }
  }
  const transport: Transport = {
    start: async () => {
      group = startGroup([entry.command ?? '', ...entry.args], variables, io, cwd)
      group.stdout.setEncoding('utf8').on('data', receive)
      group.stderr.setEncoding('utf8').on('data', (text: string) => {
        connection.errors = (connection.errors + text).slice(-4000)
        void notices.debug(() => `${name} on stderr: ${text.trimEnd()}`)
      })
      void group.ended.then((how = 'exited with status 0') => {
        connection.failure ??= how
        transport.onclose?.()
      })
    },
    send: async (message) => void group?.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      group?.stdin.end()
      await Promise.race([group?.ended, pause(longestEnd, { ref: false })])
      group?.kill()
    },
  }
  const connection: Connection = { transport, left: maxReceived, errors: '' }
  return connection
}

/** A server that is reached by HTTP. Its headers go to its own origin only: the client follows no redirect to another. */
function website({ url = '', headers }: ServerEntry, where: string, { io }: ToolsContext): Connection {
  const [address, valid] = [expandVariables(url, `${where}.url`, io), expandValues(headers, `${where}.headers`, io)]
  if (!/^https?:\/\/(?![^/?#]*@)/i.test(address) || !URL.canParse(address)) {
    throw new UsageError(`${where}.url: the value is not accepted; expected an http or https URL without a user name`)
  }
  try {
    void new Headers(valid)
  } catch {
    // Whose message quotes the value.
    throw new UsageError(`${where}.headers: a name or a value is not accepted by HTTP`)
  }
  const isEnd = (byte: number): boolean => byte === 10 || byte === 13
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers: valid },
    // A server that ends each reply at once could have the rest asked for forever.
    reconnectionOptions: { maxRetries: 0 } as StreamableHTTPReconnectionOptions,
    fetch: async (target, init) => {
      // The stream of what a server says on its own, such as that its list has changed.
      if (init?.method === 'GET') return new Response(null, { status: 405 })
      const reply = await fetch(target, init).catch((error: Error) => {
        const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException
        throw new FailedError(message || `${code}`)
      })
      if (reply.status === 404 && transport.sessionId !== undefined) connection.failure = 'its session has ended'
      const cost = /event-stream/i.test(reply.headers.get('content-type') ?? '') ? lineCost : 0
      const limit = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          connection.left -= chunk.length + (cost && cost * chunk.filter(isEnd).length)
          if (connection.left >= 0) return controller.enqueue(chunk)
          connection.failure = floodText
          controller.error(new FailedError(floodText))
        },
      })
      return acceptedReply(new Response(reply.body?.pipeThrough(limit) ?? null, reply), init?.method)
    },
  })
  const [send, close] = [transport.send.bind(transport), transport.close.bind(transport)]
  const error = { code: -32000, message: 'the reply ended without a result' }
  transport.send = (message, options) => {
    const { id = '' } = message as { id?: string | number }
    // The client itself would wait for the end of the time.
    const onRequestStreamEnd = (): void => transport.onmessage?.({ jsonrpc: '2.0', id, error })
    return send(message, { ...options, onRequestStreamEnd })
  }
  transport.close = async () => {
    await Promise.race([transport.terminateSession().catch(() => undefined), pause(longestEnd, { ref: false })])
    await close()
  }
  const connection: Connection = { transport, left: maxReceived, errors: '' }
  return connection
}

/** @throws FailedError for a reply that is no message of the protocol: with its status and, of a page, its title. */
async function acceptedReply(reply: Response, method: string | undefined): Promise<Response> {
  const isPage = /html/i.test(reply.headers.get('content-type') ?? '')
  const isRedirect = reply.status >= 300 && reply.status < 400
  if (method !== 'POST' || isRedirect || (reply.ok && !isPage)) return reply
  const body = await reply.text()
  const text = isPage ? (/<title\b[^>]*>([^<]*)/i.exec(body)?.[1] ?? 'a web page') : body
  throw new FailedError(`HTTP ${reply.status}: ${text || reply.statusText}`)
}

/** The first line of an error, without what the client adds to it: how it asked, and the rules of a message as JSON. */
function oneLine(text: string): string {
  const own = text.replaceAll(/^Error POSTing to endpoint: | \(redirectPolicy: .*\)$|: \[\s*\{.*$/gs, '')
  return sanitizeName(own.slice(0, 300)).trim()
}
