/** The tools of an MCP server. Loaded only when a server is named: its client takes 60 ms to load. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JSONRPCMessage, RequestOptions, Transport } from '@modelcontextprotocol/client'
import * as v from 'valibot'
import { errorMessage, FailedError, UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { homeDirectory } from '../io/files/directories.ts'
import { statsOf } from '../io/files/stats.ts'
import { bareText, isNonEmptyText, isObject, jsonPath, parseJsonIfValid, parseStoredJson } from '../io/json/json.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { packageVersion } from '../io/process/package.ts'
import { type ProcessGroup, startGroup } from '../io/process/process-group.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { pause } from '../io/time/timer.ts'
import { EventParser, type ServerEvent } from '../stream/events.ts'
import { ReplyBudget } from '../stream/reply-budget.ts'
import { environmentFor, expandValues, expandVariables } from './environment.ts'
import { type CallOutcome, createTool, maxReceived, type Tool, type ToolsContext, withinSeconds } from './tool.ts'
import type { ServerEntry } from './tools-file.ts'

export interface Server {
  readonly tools: readonly Tool[]
  /** Ends it and all that it started. */
  close(): Promise<void>
}

/** In bytes: what a line counts for. 16 MiB of short messages would take 20 s to decode, and nobody reads that many. */
const lineCost = 1024

const floodText = 'sent more than 16 MiB, or too many messages'

/** No model takes as many. */
const maxTools = 1000

/** No list that is of use has as many. */
const maxPages = 64

/** In milliseconds: how long a server may take to end by itself, after its stdin or its session has ended. */
const longestEnd = 500

/** In milliseconds, before a stream is resumed: if the server does not say how long, and at least. */
const [resumptionDelay, shortestDelay] = [1000, 100]

const noResult = 'the reply ended without a result'

/** Why a server did not take a request: it does not know its session. */
const endedSession = 'its session has ended'

/** In milliseconds: the time limits of the client are not used, as ours have other texts. */
const never = 2 ** 31 - 1

/** Its tools are checked one by one: one that is not accepted is left out. */
const listPage = v.object({ tools: v.array(v.unknown()), nextCursor: v.nullish(v.string()) })

const listedTool = v.object({
  // Those that MCP allows are plain; others may control a terminal.
  name: v.pipe(v.string(), v.regex(/^[\w./-]{1,128}$/)),
  description: v.nullish(v.string()),
  inputSchema: v.looseObject({ type: v.literal('object') }),
  annotations: v.nullish(v.object({ readOnlyHint: v.nullish(v.boolean()) })),
})

interface Connection {
  readonly transport: Transport
  /** How many bytes may still be received. */
  left: number
  /** Why it has ended, such as `exited with status 1`: the next call starts it again. */
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
  const call = async (tool: string, args: JsonObject, signal: AbortSignal, isAgain = false): Promise<CallOutcome> => {
    if (connection.failure !== undefined) await start(signal)
    connection.left = maxReceived
    // Not `callTool`, nor the schema of MCP: what a tool returns is for the model, and need not have the shape promised.
    const request = { method: 'tools/call', params: { name: tool, arguments: args } } as const
    try {
      return outcomeOf(await client.request(request, v.looseObject({}), { signal, timeout: never }), tool)
    } catch (error) {
      if (isAgain || errorMessage(error) !== endedSession) throw new FailedError(`server ${name}: ${reasonOf(error)}`)
      connection.failure = endedSession
      return call(tool, args, signal, true)
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
  const listed = await start(starting)
  const accepted = listed.filter(isAccepted)
  const left = `leaving out ${listed.length - accepted.length} of ${listed.length} tools, for their name or schema`
  if (accepted.length < listed.length) await context.notices.info(`server ${name}: ${left}`)
  const tools = accepted.map(({ name: own, description, inputSchema, annotations }) => {
    const source = {
      name: `${name}__${own}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
      label: `${name}/${own}`,
      description: description ?? undefined,
      parameters: inputSchema as JsonObject,
      claimsReadOnly: annotations?.readOnlyHint === true,
    }
    const run = (args: JsonObject, stop: AbortSignal): Promise<CallOutcome> => call(own, args, stop)
    return createTool({ ...source, timeout, run }, context)
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
    // Some servers end the list with null or an empty text.
    cursor = page.nextCursor || undefined
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

/** @param tool Its name. */
function outcomeOf({ content, structuredContent, isError }: Record<string, unknown>, tool: string): CallOutcome {
  const parts = [(content ?? []) as Json].flat().map(textOfPart)
  const isEmpty = parts.length === 0 && structuredContent != null
  const text = isEmpty ? JSON.stringify(structuredContent) : parts.join('\n')
  if (!isError) return { text }
  return { text: text.trim() === '' ? `the tool ${tool} failed without a message` : text, failure: '' }
}

/** What a model gets of a part of a result: its text, or what is left out. */
function textOfPart(part: Json): string {
  if (!isObject(part)) return bareText(part)
  const { type = 'data', text, name = '', uri = '', mimeType } = isObject(part.resource) ? part.resource : part
  if (typeof text === 'string') return text
  if (part.type === 'resource_link') return `${bareText(name)}: ${bareText(uri)}`
  const what = mimeType ?? (part.type === 'resource' ? 'binary data' : type)
  return `[${bareText(what)}${uri === '' ? '' : ` of ${bareText(uri)}`} left out]`
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
  let unlogged = ''
  /** The ID of the request that an error without an ID is about: one request is made after the other. */
  let pending: Json = null
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
      // Many servers print other lines, too.
      if (isObject(message) && message.jsonrpc !== undefined) transport.onmessage?.(wholeMessage(message, pending))
    }
  }
  const receiveErrors = (text: string): void => {
    connection.errors = (connection.errors + text).slice(-4000)
    connection.left -= Buffer.byteLength(text)
    if (connection.left < 0) return fail(floodText)
    // Whole lines: a part of a key would not be masked. Only what arrives is searched, as a line may not end.
    const end = text.lastIndexOf('\n') + 1
    const lines = unlogged + text.slice(0, end)
    unlogged = end === 0 ? lines + text : text.slice(end)
    if (end > 0) void notices.debug(() => `${name} on stderr: ${lines.trimEnd()}`)
  }
  const transport: Transport = {
    start: async () => {
      group = startGroup([entry.command ?? '', ...entry.args], variables, io, cwd)
      group.stdout.setEncoding('utf8').on('data', receive)
      group.stderr.setEncoding('utf8').on('data', receiveErrors)
      group.stderr.on('end', () => unlogged !== '' && receiveErrors('\n'))
      void group.ended.then((how = 'exited with status 0') => {
        connection.failure ??= how
        transport.onclose?.()
      })
    },
    send: async (message) => {
      // While the tools are listed, an error without an ID may be about the notification before: some servers refuse it.
      if ('method' in message && 'id' in message) pending = message.method === 'tools/list' ? null : message.id
      group?.stdin.write(`${JSON.stringify(message)}\n`)
    },
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
  const ask = async (target: string | URL, init: RequestInit): Promise<Response> => {
    const reply = await fetch(target, init).catch((error: Error) => {
      const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException
      throw new FailedError(message || `${code}`)
    })
    const cost = /event-stream/i.test(typeOf(reply)) ? lineCost : 0
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        connection.left -= chunk.length + (cost && cost * chunk.filter(isEnd).length)
        if (connection.left >= 0) return controller.enqueue(chunk)
        connection.failure = floodText
        controller.error(new FailedError(floodText))
      },
    })
    return acceptedReply(new Response(reply.body?.pipeThrough(limit) ?? null, reply), init)
  }
  /** The ID of the request that is waited for. */
  let awaited: Json | undefined
  /** The reply to a request. A stream that ends before it is resumed. @throws FailedError without one. */
  const resultIn = async (first: Response, id: Json, target: string | URL, init: RequestInit) => {
    const headers = new Headers(init.headers)
    let delay = resumptionDelay
    let result: JSONRPCMessage | undefined
    const take = ({ id: event, data }: Pick<ServerEvent, 'id' | 'data'>): void => {
      if (event) headers.set('last-event-id', event)
      // Nested at will: a schema that is too deep is left out later.
      for (const sent of [parseJsonIfValid(data, undefined, undefined, Infinity)].flat().filter(isObject)) {
        const message = wholeMessage(sent, id)
        if (!('method' in message) && Number(message.id) === id) result = message
        else transport.onmessage?.(message)
      }
    }
    for (let reply = first; ;) {
      const parser = new EventParser(take, new ReplyBudget(), (asked) => (delay = asked))
      try {
        if (/json/i.test(typeOf(reply))) take({ id: undefined, data: await reply.text() })
        for await (const chunk of reply.bodyUsed ? [] : (reply.body ?? [])) {
          parser.push(chunk)
          if (result) break
        }
        parser.end()
      } catch (error) {
        // A stream that breaks is resumed, as one that ends is.
        if (connection.left < 0) throw error
      }
      if (result) return result
      if (!headers.has('last-event-id') || awaited !== id) throw new FailedError(noResult)
      await pause(Math.max(delay, shortestDelay), { signal: init.signal ?? undefined })
      const rest = { ...init, method: 'GET', body: null, headers, redirect: 'error' } as const
      reply = await ask(target, rest).catch((error: unknown) => {
        throw new FailedError(`${noResult}: ${errorMessage(error)}`)
      })
    }
  }
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers: valid },
    fetch: async (target, init = {}) => {
      // The stream of what a server says on its own, such as that its list has changed.
      if (init.method === 'GET') return new Response(null, { status: 405 })
      const { id, method } = parseStoredJson(init.body as string, {}) as Partial<JsonObject>
      // The notification that a call was canceled has no ID.
      if (method !== undefined) awaited = id
      const reply = await ask(target, init)
      const isRequest = id !== undefined && method !== undefined
      // Without a type, it has no body.
      if (!isRequest || !reply.ok || !/^$|event-stream|json/i.test(typeOf(reply))) return reply
      const result = await resultIn(reply, id, target, init)
      const session = { 'mcp-session-id': reply.headers.get('mcp-session-id') ?? '' }
      // Not encoded again, as it may be nested too deep for that.
      return Object.assign(Response.json({}, { headers: session }), { json: async () => result })
    },
  })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await Promise.race([transport.terminateSession().catch(() => undefined), pause(longestEnd, { ref: false })])
    await close()
  }
  const connection: Connection = { transport, left: maxReceived, errors: '' }
  return connection
}

/** @throws FailedError for a reply that has no messages: with its status and, of a page, its title. */
async function acceptedReply(reply: Response, { method, headers }: RequestInit): Promise<Response> {
  const isPage = /html/i.test(typeOf(reply))
  const isRedirect = reply.status >= 300 && reply.status < 400
  if (method === 'DELETE' || isRedirect || (reply.ok && !isPage)) return reply
  const body = await reply.text()
  const isSession = reply.status === 404 || (reply.status === 400 && /session/i.test(body))
  if (isSession && new Headers(headers).has('mcp-session-id')) throw new FailedError(endedSession)
  const text = isPage ? (/<title\b[^>]*>([^<]*)/i.exec(body)?.[1] ?? 'a web page') : body
  throw new FailedError(`HTTP ${reply.status}: ${text || reply.statusText}`)
}

function typeOf(reply: Response): string {
  return reply.headers.get('content-type') ?? ''
}

/**
 * A message as the client takes it. Some servers send an error without the ID of the request, or as a text, a result beside an
 * error that is null, or one that is no object.
 * @param pending The ID of the last request.
 */
function wholeMessage(sent: JsonObject, pending: Json): JSONRPCMessage {
  const { id, method, result } = sent
  if (method !== undefined) return sent as unknown as JSONRPCMessage
  const reply = { jsonrpc: '2.0', id: (id ?? pending) as number } as const
  const error = sent.error ?? (result === undefined ? noResult : null)
  if (error === null) return { ...reply, result: isObject(result) ? result : { content: result } }
  const message = isObject(error) ? error.message : error
  return { ...reply, error: { code: -32603, message: isNonEmptyText(message) ? message : JSON.stringify(error) } }
}

/** The first line of an error, without what the client adds to it: how it asked, and the rules of a message as JSON. */
function oneLine(text: string): string {
  const own = text.replaceAll(/^Error POSTing to endpoint: | \(redirectPolicy: .*\)$|: \[\s*\{.*$/gs, '')
  return sanitizeName(own.slice(0, 300)).trim()
}
