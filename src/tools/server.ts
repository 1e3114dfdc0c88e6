/** The tools of an MCP server. Loaded only when a server is named: its client takes 60 ms to load. */

import { text as readText } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import type { JSONRPCMessage, RequestOptions, Transport } from '@modelcontextprotocol/client'
import * as v from 'valibot'
import { isImageUrl } from '../api/image.ts'
import { errorMessage, FailedError, UsageError } from '../errors.ts'
import { append } from '../io/arrays.ts'
import { homeDirectory } from '../io/files/directories.ts'
import { statsOf } from '../io/files/stats.ts'
import { isNonEmptyText, isObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { bareText, jsonPath, quote } from '../io/json/print.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { packageVersion } from '../io/process/package.ts'
import { kindOf } from '../io/text/first-bytes.ts'
import { maxReceived, type ProcessGroup, startGroup } from '../io/process/process-group.ts'
import { withinSeconds } from '../io/time/time-limit.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { onAbort } from '../io/time/abort-signal.ts'
import { pause } from '../io/time/time.ts'
import { isLocalhost, isLoopback } from '../io/url.ts'
import { EventParser, type ServerEvent } from '../stream/events.ts'
import { ReplyBudget } from '../stream/reply-budget.ts'
import { environmentFor, expandValues, expandVariables } from './environment.ts'
import { type CallOutcome, createTool, type Tool, type ToolsContext } from './tool.ts'
import type { ServerEntry } from './tools-file.ts'

export type Server = Awaited<ReturnType<typeof startServer>>

/** In bytes: what a message or a line counts for. 16 MiB of short ones would take 20 s to decode, and nobody reads that many. */
const messageCost = 1024

const floodText = 'sent more than 16 MiB, or too many messages'

/** No model takes as many. */
const maxTools = 1000

/** No list that is of use has as many. */
const maxPages = 64

/** In characters: the most that a model is sent of the instructions of a server. Others cut them off at 2 KB, too. */
const maxInstructions = 2000

/** In milliseconds, from one time that a list is read to the next. */
const listInterval = 1000

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
  // The names that MCP allows are plain; others may control a terminal.
  name: v.pipe(v.string(), v.regex(/^[\w./-]{1,128}$/)),
  description: v.nullish(v.string()),
  inputSchema: v.custom<JsonObject>(canBeSent),
  annotations: v.nullish(v.object({ readOnlyHint: v.nullish(v.boolean()) })),
})

/** What takes an event of a reply, or the document that it is. */
type Take = (event: Pick<ServerEvent, 'id' | 'data'>) => void

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
) {
  const { timeout } = entry
  const { io, secrets, notices } = context
  const where = `${path}: ${jsonPath(['mcpServers', name])}`
  let client: Client
  let connection: Connection
  const tools: Tool[] = []
  /** By its own name, each tool that was ever listed. */
  const known = new Map<string, Tool>()
  let leftOut = ''
  /** Whether the list has changed: a server says so, but over HTTP in a stream of its own, which is not opened. */
  let isChanged = false
  let listedAt = -Infinity
  const reasonOf = (error: unknown): string => connection.failure ?? oneLine(errorMessage(error))
  const call = async (tool: string, args: JsonObject, signal: AbortSignal, isAgain = false): Promise<CallOutcome> => {
    if (connection.failure !== undefined) await start(signal)
    connection.left = maxReceived
    // Neither `callTool` nor the schema of MCP: what a tool returns is for the model, and need not have the shape promised.
    const request = { method: 'tools/call', params: { name: tool, arguments: args } } as const
    try {
      const result = await client.request(request, v.looseObject({}), { signal, timeout: never })
      isChanged ||= mayHaveChanged()
      return toOutcome(result, tool)
    } catch (error) {
      if (isAgain || errorMessage(error) !== endedSession) throw new FailedError(`server ${name}: ${reasonOf(error)}`)
      connection.failure = endedSession
      return call(tool, args, signal, true)
    }
  }
  const mayHaveChanged = (): boolean =>
    entry.url !== undefined && client.getServerCapabilities()?.tools?.listChanged === true
  const start = async (signal: AbortSignal): Promise<void> => {
    connection = entry.url === undefined ? program(name, entry, where, context) : website(entry, where, context)
    client = new Client({ name: 'syn', version: packageVersion() })
    client.fallbackNotificationHandler = async ({ method }) => {
      isChanged ||= method === 'notifications/tools/list_changed'
    }
    try {
      const listed = await withinSeconds(timeout, signal, async (stop) => {
        const options = { signal: stop, timeout: never }
        // The client awaits its notification without a limit.
        using _stop = onAbort(stop, () => void connection.transport.close())
        await client.connect(connection.transport, options)
        return await listTools(client, options)
      })
      await take(listed)
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
  /** Keeps what the user allows of tools that are as they were. */
  const take = async (listed: readonly unknown[]): Promise<void> => {
    const isFirst = listedAt === -Infinity
    listedAt = io.elapsed()
    const checked = listed.map((tool) => v.safeParse(listedTool, tool))
    const left = checked.flatMap(({ issues }, at) => (issues ? leftOutText(listed[at], issues[0]) : []))
    const text = `leaving out ${left.length} of ${listed.length} tools: ${left.slice(0, 5).join(', ')}`
    if (left.length > 0 && text !== leftOut) await notices.info(`server ${name}: ${(leftOut = text)}`)
    const current = checked.flatMap(({ success, output }) => {
      if (!success) return []
      const { name: own, description, inputSchema, annotations } = output
      const before = known.get(own)
      const source = {
        name: `${name}__${own}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
        label: `${name}/${own}`,
        description: description ?? undefined,
        parameters: inputSchema,
        claimsReadOnly: annotations?.readOnlyHint === true,
        change: isFirst ? undefined : before ? 'changed since the start' : 'added since the start',
        timeout,
        run: (args: JsonObject, stop: AbortSignal) => call(own, args, stop),
      }
      const said = JSON.stringify([source.description, source.parameters])
      if (before && JSON.stringify([before.description, before.parameters]) === said) return [before]
      const tool = Object.assign(before ?? {}, createTool(source, context), { approvedBy: undefined })
      known.set(own, tool)
      return [tool]
    })
    tools.splice(0, Infinity, ...current)
    for (const tool of known.values()) tool.isGone = !current.includes(tool)
  }
  /** Reads the list again if it has changed, or may have. @throws the reason of the signal. */
  const refresh = async (signal: AbortSignal): Promise<void> => {
    const wait = listedAt + listInterval - io.elapsed()
    if (connection.failure !== undefined || !(isChanged || (wait <= 0 && mayHaveChanged()))) return
    await pause(Math.max(0, wait), { signal })
    isChanged = false
    listedAt = io.elapsed()
    connection.left = maxReceived
    try {
      await take(await withinSeconds(timeout, signal, (stop) => listTools(client, { signal: stop, timeout: never })))
    } catch (error) {
      signal.throwIfAborted()
      // The next call starts it again.
      if (errorMessage(error) === endedSession) connection.failure = endedSession
      else await notices.info(`server ${name}: its tools cannot be listed again: ${reasonOf(error)}`)
    }
  }
  /** What it says of its use, if some of these tools are its: in each line, quoted as text of it. */
  const instructions = (used: readonly Tool[]): string[] => {
    const text = secrets.mask(client.getInstructions()?.trim() ?? '').slice(0, maxInstructions)
    const quoted = text.toWellFormed().replaceAll('\r\n', '\n').replace(/^/gm, '> ')
    const isUsed = text !== '' && tools.some((tool) => used.includes(tool))
    return isUsed ? [`The server ${sanitizeName(name)} says of its tools:\n${quoted}`] : []
  }
  await start(starting)
  // `close` ends it and all that it started.
  return { tools: tools as readonly Tool[], refresh, instructions, close: () => connection.transport.close() }
}

/** `client.listTools` would write to standard output and standard error. @throws FailedError for a list that is too long. */
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
function canBeSent(schema: unknown): boolean {
  try {
    return isObject(schema) && schema.type === 'object' && parseJsonIfValid(JSON.stringify(schema)) !== undefined
  } catch {
    return false
  }
}

/** @returns the name of a tool that is not accepted, and the key that is wrong. */
function leftOutText(tool: unknown, issue: v.BaseIssue<unknown>): string {
  return `${quote(isObject(tool) ? tool.name : undefined)} for its ${v.getDotPath(issue) ?? 'type'}`
}

/** @param tool Its name. */
function toOutcome(result: Record<string, unknown>, tool: string): CallOutcome {
  const { content, structuredContent, isError, _meta, ...others } = result
  const all = [(content ?? []) as Json].flat()
  const found = all.map(imageOf)
  const parts = all.map((part, at) => (found[at] ? `[${found[at].shown}]` : textOfPart(part)))
  // Without any text: what else the result has, such as one of an older or a newer version of the protocol.
  const other = structuredContent ?? (content === undefined && Object.keys(others).length > 0 ? others : undefined)
  const isEmpty = other !== undefined && parts.every((part) => part.trim() === '')
  const text = isEmpty ? JSON.stringify(other) : parts.join('\n')
  const images = found.filter((image) => image !== undefined)
  if (!isError) return { text, images }
  return { text: text.trim() === '' ? `the tool ${tool} failed without a message` : text, images, failure: '' }
}

/** An image in a part of a result. Its bytes say what it is: services refuse one that is called something else. */
function imageOf(part: Json): NonNullable<CallOutcome['images']>[number] | undefined {
  const { data, blob = data } = isObject(part) ? (isObject(part.resource) ? part.resource : part) : {}
  const bytes = Buffer.from(typeof blob === 'string' ? blob.replace(/^data:[^,]*,/, '') : '', 'base64')
  const format = kindOf(bytes)?.use
  const url = `data:${format};base64,${bytes.toString('base64')}`
  return isImageUrl(url) ? { url, shown: `${format} of ${Math.ceil(bytes.length / 1024)} KiB` } : undefined
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
function program(name: string, entry: ServerEntry, where: string, context: ToolsContext): Connection {
  const { io, notices } = context
  const variables = environmentFor('server', entry.env, where, context)
  const home = homeDirectory(io.env)
  // Never the working directory, which may be somebody else's: npx takes a package from there before any other.
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
    connection.left -= Buffer.byteLength(text) + messageCost * (lines.length - 1)
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

/** A server that is reached by HTTP. Its headers go to its own origin only. */
function website({ url = '', headers, allowHttp }: ServerEntry, where: string, context: ToolsContext): Connection {
  const address = expandVariables(url, `${where}.url`, context)
  const valid = expandValues(headers, `${where}.headers`, context)
  if (!/^https?:\/\/(?![^/?#]*@)/i.test(address) || !URL.canParse(address)) {
    throw new UsageError(`${where}.url: the value is not accepted; expected an http or https URL without a user name`)
  }
  const secret = address === url ? Object.keys(headers).length > 0 && 'headers' : 'variables'
  const { protocol, hostname } = new URL(address)
  // `fetch` asks DNS about all other names of localhost, such as `localhost.`.
  const isHere = hostname === 'localhost' || (isLoopback(hostname) && !isLocalhost(hostname))
  if (secret && protocol === 'http:' && !isHere && !allowHttp) {
    const hint = 'use https, or "allowHttp": true in this entry'
    throw new UsageError(`${where}.url: refusing to send its ${secret} unencrypted to ${url}`, { hint })
  }
  const common: Record<string, string> = {}
  try {
    // Names become lower case, so that those below replace them.
    Object.assign(common, Object.fromEntries(new Headers(valid)), { accept: 'application/json, text/event-stream' })
  } catch {
    // Whose message quotes the value.
    throw new UsageError(`${where}.headers: a name or a value is not accepted by HTTP`)
  }
  /** Aborted when the result has come, or is not waited for any more: one request is made after the other. */
  let running = new AbortController()
  /** What the server asks is answered one after the other: it may ask thousands of times in one reply. */
  let answers = Promise.resolve()
  let delay = resumptionDelay
  const bodyOf = async function* (reply: Response): AsyncGenerator<Uint8Array> {
    for await (const chunk of reply.body ?? []) {
      connection.left -= chunk.length
      if (connection.left < 0) throw new FailedError(floodText)
      yield chunk
    }
  }
  /** @throws FailedError without a reply that has messages; another error if it breaks. */
  const ask = async (init: RequestInit, take?: Take, target = new URL(address), redirects = 5): Promise<void> => {
    const reply = await fetch(target, { ...init, redirect: 'manual' }).catch((error: Error) => {
      const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException
      throw new FailedError(message || `${code}`)
    })
    const { status } = reply
    const { location, 'content-type': type = '', 'mcp-session-id': session } = Object.fromEntries(reply.headers)
    if (location !== undefined && status >= 300 && status < 400) {
      const next = new URL(location, target)
      // Another origin must not get the headers, and statuses below 307 change POST to GET.
      if (next.origin === target.origin && status >= 307 && redirects > 0) return ask(init, take, next, redirects - 1)
      throw new FailedError(
        `redirects to ${next.protocol}//${next.host}${next.pathname}; if it has moved, change its url`,
      )
    }
    // Without a type, it has no body.
    if (!reply.ok || (take && !/^$|event-stream|json/i.test(type))) {
      const body = await readText(bodyOf(reply))
      const isSession = status === 404 || (status === 400 && /session/i.test(body))
      if (isSession && 'mcp-session-id' in common) throw new FailedError(endedSession)
      const said = /html/i.test(type) ? (/<title\b[^>]*>([^<]*)/i.exec(body)?.[1] ?? 'a web page') : body
      throw new FailedError(`HTTP ${status}: ${said || reply.statusText}`)
    }
    if (session) common['mcp-session-id'] ??= session
    if (!take) return reply.body?.cancel()
    if (/json/i.test(type)) return take({ id: undefined, data: await readText(bodyOf(reply)) })
    const parser = new EventParser(take, new ReplyBudget(), (asked) => (delay = asked))
    for await (const chunk of bodyOf(reply)) parser.push(chunk)
    parser.end()
  }
  const transport: Transport = {
    start: async () => undefined,
    setProtocolVersion: (version) => (common['mcp-protocol-version'] = version),
    send: async (message) => {
      // A request that still runs was given up.
      if ('method' in message) running.abort()
      if (running.signal.aborted) running = new AbortController()
      const request = running
      const { signal } = request
      const own = { ...common, 'content-type': 'application/json' }
      let init: RequestInit = { method: 'POST', headers: own, body: JSON.stringify(message), signal }
      if (!('method' in message))
        return (answers = answers.then(() => (signal.aborted ? undefined : ask(init))).catch(() => undefined))
      if (!('id' in message)) return ask(init)
      let lastEvent = ''
      const take: Take = ({ id, data }) => {
        lastEvent = id || lastEvent
        // Nested at will: a schema that is too deep is left out later.
        for (const sent of [parseJsonIfValid(data, undefined, undefined, Infinity)].flat().filter(isObject)) {
          connection.left -= messageCost
          // Some servers keep the connection alive with `{}`.
          if (!['jsonrpc', 'result', 'error'].some((key) => key in sent)) continue
          const received = wholeMessage(sent, message.id)
          transport.onmessage?.(received)
          if (!('method' in received) && received.id === message.id) request.abort()
        }
      }
      for (;;) {
        await ask(init, take).catch((error: unknown) => {
          // A reply that breaks is resumed, as a stream that ends is.
          if (error instanceof FailedError) throw lastEvent ? new FailedError(`${noResult}: ${error.message}`) : error
        })
        if (signal.aborted) return
        if (lastEvent === '') throw new FailedError(noResult)
        await pause(Math.max(delay, shortestDelay), { signal })
        init = { headers: { ...common, 'last-event-id': lastEvent }, signal }
      }
    },
    close: async () => {
      running.abort()
      const [signal, last] = [AbortSignal.timeout(longestEnd), { ...common }]
      delete common['mcp-session-id']
      if ('mcp-session-id' in last) await ask({ method: 'DELETE', headers: last, signal }).catch(() => undefined)
      transport.onclose?.()
    },
  }
  const connection: Connection = { transport, left: maxReceived, errors: '' }
  return connection
}

/**
 * A message as the client takes it. Some servers send an error without the ID of the request, or as a text, a result beside an
 * error that is null, or one that is no object.
 * @param pending The ID of the last request.
 */
function wholeMessage(sent: JsonObject, pending: Json): JSONRPCMessage {
  const { id, method, result } = sent
  if (method !== undefined) return sent as unknown as JSONRPCMessage
  const reply = { jsonrpc: '2.0', id: Number(id ?? pending) } as const
  const error = sent.error ?? (result === undefined ? noResult : null)
  // Without `_meta`: the client goes on waiting if that is not as it should be.
  if (error === null) return { ...reply, result: isObject(result) ? { ...result, _meta: {} } : { content: result } }
  const message = isObject(error) ? error.message : error
  return { ...reply, error: { code: -32603, message: isNonEmptyText(message) ? message : JSON.stringify(error) } }
}

/** The first line of an error, without what the client adds to it: the rules of a message as JSON. */
function oneLine(text: string): string {
  return sanitizeName(text.replace(/: \[\s*\{.*$/s, '').slice(0, 300)).trim()
}
