/** The tools of an MCP server. Loaded only when a server is named: its client takes 60 ms to load. */

import {
  type CallToolResult,
  Client,
  type JsonSchemaValidator,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  type Tool as ListedTool,
  type Transport,
} from '@modelcontextprotocol/client'
import { errorMessage, FailedError, UsageError } from '../errors.ts'
import { invalidValue } from '../fields/problem.ts'
import { type JsonObject, jsonPath, parseJsonIfValid } from '../io/json/json.ts'
import { packageVersion } from '../io/process/package.ts'
import { type ProcessGroup, startGroup } from '../io/process/process-group.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { pause, startTimer } from '../io/time/timer.ts'
import { environmentFor, expandValues, expandVariables } from './environment.ts'
import type { ServerEntry } from './shapes.ts'
import {
  type CallOutcome,
  checkWhenCalled,
  createTool,
  defaultTimeout,
  timeoutError,
  type Tool,
  type ToolsContext,
} from './tool.ts'

export interface Server {
  readonly tools: readonly Tool[]
  /** Ends it and all that it started. */
  close(): Promise<void>
}

/** In bytes: the most that a server may send for one call, and for its start and the list of its tools together. */
const maxReceived = 16 * 1024 * 1024

/** In bytes: what a line counts for. 16 MiB of short messages would take 20 s to decode, and nobody reads that many. */
const lineCost = 1024

/** In milliseconds: how long a server may take to end by itself, after its stdin or its session has ended. */
const longestEnd = 500

/** In milliseconds: a server that ends each reply at once is not asked for the rest of it at once. */
const shortestReconnection = 1000

/** In milliseconds: the time limits of the client are not used, as ours have other texts. */
const never = 2 ** 31 - 1

const floodText = `sent more than ${maxReceived / 1024 / 1024} MiB, or too many messages`

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
 * @throws UsageError for a variable or a URL that is not accepted; FailedError if it does not start or list its tools in time,
 * and nothing of it is left then; the reason of the signal.
 */
export async function startServer(
  name: string,
  entry: ServerEntry,
  path: string,
  context: ToolsContext,
): Promise<Server> {
  const { io, secrets, notices } = context
  const { timeout = defaultTimeout } = entry
  const where = `${path}: ${jsonPath(['mcpServers', name])}`
  const connection =
    entry.url === undefined ? program(name, entry, where, context) : website(entry, entry.url, where, context)
  // What a tool returns is for the model: it need not have the shape that the server promises.
  const jsonSchemaValidator = {
    getValidator:
      <T>(): JsonSchemaValidator<T> =>
      (data) => ({ valid: true, data: data as T, errorMessage: undefined }),
  }
  const client = new Client({ name: 'syn', version: packageVersion() }, { jsonSchemaValidator })
  const reasonOf = (error: unknown): string => {
    const message = errorMessage(error)
    return connection.failure ?? (/listMaxPages/.test(message) ? 'its list of tools does not end' : oneLine(message))
  }
  const call = async (tool: string, args: JsonObject, signal: AbortSignal): Promise<CallOutcome> => {
    connection.left = maxReceived
    try {
      return outcomeOf(await client.callTool({ name: tool, arguments: args }, { signal, timeout: never }))
    } catch (error) {
      throw new FailedError(`server ${name}: ${reasonOf(error)}`)
    }
  }
  const tooLong = new AbortController()
  const timer = startTimer(timeout * 1000, () => tooLong.abort())
  try {
    const options = { signal: AbortSignal.any([io.signal, tooLong.signal]), timeout: never }
    await client.connect(connection.transport, options)
    const { tools: listed } = await client.listTools(undefined, options)
    const tools = listed.flatMap((tool) => {
      const source = sourceOf(name, tool)
      return source ? createTool({ ...source, timeout, run: (args, stop) => call(tool.name, args, stop) }, secrets) : []
    })
    const left = listed.length - tools.length
    if (left > 0)
      await notices.info(`server ${name}: leaving out ${left} of ${listed.length} tools, for their name or schema`)
    return { tools, close: () => client.close() }
  } catch (error) {
    const reason = tooLong.signal.aborted ? timeoutError(timeout).message : reasonOf(error)
    await connection.transport.close()
    io.signal.throwIfAborted()
    // After the message of a crash, Node and others print where it was, and their version.
    const told = connection.errors.split('\n').filter((line) => !/^(\s|$|[{}]|Node\.js v)/.test(line))
    const hint = oneLine(told.at(-1) ?? '') || undefined
    throw new FailedError(`the server ${name} does not start: ${reason}`, { hint })
  } finally {
    clearTimeout(timer)
  }
}

/** @returns `undefined` for a tool that no model and no terminal should get: the names that MCP allows are plain. */
function sourceOf(server: string, { name: own, description, inputSchema, annotations }: ListedTool) {
  const parameters = parseJsonIfValid(jsonOf(inputSchema)) as JsonObject | undefined
  if (!/^[\w./-]{1,128}$/.test(own) || parameters === undefined) return undefined
  return {
    name: `${server}__${own}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
    label: `${server}/${own}`,
    description,
    parameters,
    claimsReadOnly: annotations?.readOnlyHint === true,
    check: checkWhenCalled(parameters),
  }
}

/** @returns no JSON for a value that is nested too deep. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

function outcomeOf({ content, structuredContent, isError = false }: CallToolResult): CallOutcome {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource_link') return `${part.name}: ${part.uri}`
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    const { mimeType = 'binary data' } = part.type === 'resource' ? part.resource : part
    return `[${mimeType} left out]`
  })
  return {
    text: parts.length === 0 && structuredContent !== undefined ? jsonOf(structuredContent) : parts.join('\n'),
    isError,
  }
}

/** A server that this program starts. */
function program(
  name: string,
  { command = '', args = [], env }: ServerEntry,
  where: string,
  { io, notices }: ToolsContext,
): Connection {
  const variables = environmentFor('server', expandValues(env, `${where}.env`, io), io)
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
    lines.forEach(deliver)
  }
  const deliver = (line: string): void => {
    const message = parseJsonIfValid(line)
    if (message === undefined && line.includes('"jsonrpc"'))
      return fail('sent a message that is no JSON, or nested too deep')
    try {
      transport.onmessage?.(parseJSONRPCMessage(message))
    } catch {
      // Many servers print other lines, too.
    }
  }
  const transport: Transport = {
    start: () => {
      const started = startGroup([command, ...args], variables, io)
      group = started
      started.stdout.setEncoding('utf8').on('data', receive)
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        connection.errors = (connection.errors + text).slice(-4000)
        void notices.debug(() => `${name} on stderr: ${text.trimEnd()}`)
      })
      void started.ended.then((how = 'exited with status 0') => {
        connection.failure ??= how
        transport.onclose?.()
      })
      return Promise.resolve()
    },
    send: (message) => {
      group?.stdin.write(`${JSON.stringify(message)}\n`)
      return Promise.resolve()
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
function website({ headers }: ServerEntry, url: string, where: string, { io }: ToolsContext): Connection {
  const text = expandVariables(url, `${where}.url`, io)
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (!address || !/^https?:$/.test(address.protocol) || address.username + address.password !== '') {
    throw invalidValue(`${where}.url`, {
      path: [],
      found: 'the value',
      expected: 'an http or https URL without a user name',
    })
  }
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers: validHeaders(expandValues(headers, `${where}.headers`, io), where) },
    fetch: async (target, init) => {
      // The stream of what a server says on its own, such as that its list has changed.
      if (init?.method === 'GET' && !new Headers(init.headers).has('last-event-id'))
        return new Response(null, { status: 405 })
      const reply = await fetch(target, init).catch(failWithCause)
      return acceptedReply(new Response(reply.body?.pipeThrough(limit(reply.headers)) ?? null, reply), init?.method)
    },
    reconnectionScheduler: (reconnect, delay) => {
      const timer = startTimer(Math.max(delay, shortestReconnection), reconnect)
      return () => clearTimeout(timer)
    },
  })
  const connection: Connection = { transport, left: maxReceived, errors: '' }
  const limit = (replyHeaders: Headers): TransformStream<Uint8Array, Uint8Array> => {
    const cost = /event-stream/i.test(replyHeaders.get('content-type') ?? '') ? lineCost : 0
    return new TransformStream({
      transform: (chunk, controller) => {
        connection.left -=
          chunk.length + cost * chunk.reduce((count, byte) => count + (byte === 10 || byte === 13 ? 1 : 0), 0)
        if (connection.left >= 0) return controller.enqueue(chunk)
        connection.failure = floodText
        controller.error(new FailedError(floodText))
      },
    })
  }
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const id = !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined
    const error = { code: -32000, message: 'the reply ended without a result' }
    // The client itself would wait for the end of the time.
    const onRequestStreamEnd = (): void =>
      void (id !== undefined && transport.onmessage?.({ jsonrpc: '2.0', id, error }))
    return send(message, { ...options, onRequestStreamEnd })
  }
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await Promise.race([transport.terminateSession().catch(() => undefined), pause(longestEnd, { ref: false })])
    await close()
  }
  return connection
}

function validHeaders(headers: Record<string, string>, where: string): Headers {
  try {
    return new Headers(headers)
  } catch {
    // Whose message quotes the value.
    throw new UsageError(`${where}.headers: a name or a value is not accepted by HTTP`)
  }
}

/** @throws FailedError for a reply that is no message of the protocol: with its status and, of a page, its title. */
async function acceptedReply(reply: Response, method: string | undefined): Promise<Response> {
  const isPage = /html/i.test(reply.headers.get('content-type') ?? '')
  const isRedirect = reply.status >= 300 && reply.status < 400
  if (method !== 'POST' || isRedirect || (reply.ok && !isPage)) return reply
  const body = await reply.text()
  const text = isPage ? (/<title\b[^>]*>([^<]*)/i.exec(body)?.[1] ?? 'a web page') : body
  throw new FailedError(oneLine(`HTTP ${reply.status}: ${text || reply.statusText}`))
}

function failWithCause(error: unknown): never {
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  throw cause === undefined ? error : new FailedError(cause.message || String(cause.code))
}

function oneLine(text: string): string {
  const line = sanitizeName(text.replaceAll(/^Error POSTing to endpoint: | \(redirectPolicy: .*\)$/g, '')).trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
