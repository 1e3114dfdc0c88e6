/** The sandbox's HTTP server: every endpoint of the specification, on loopback. */

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorMessage, FailedError, isSystemError } from '../errors.ts'
import { describeInvalidJson, type Json, parseJsonIfValid } from '../io/json/json.ts'
import { startTimer } from '../io/time/timer.ts'
import { isLoopback } from '../io/url.ts'
import { Account } from './account.ts'
import { defaultRate } from './defaults.ts'
import { sendEvents } from './event-stream.ts'
import { HttpError, errorBody } from './http-error.ts'
import type { TimeRange } from '../fields/notations.ts'
import { findRoute } from './routes.ts'

export interface Sandbox {
  readonly baseUrl: string
  readonly key: string
  /** Stops immediately, and closes open connections. */
  close(): Promise<void>
}

export interface SandboxOptions {
  /** 0 for any free port. */
  readonly port: number
  /** Whether streamed answers are slowed down to the default rate. */
  readonly isPaced: boolean
  /** Tokens per second of a streamed answer; 0 for no delay. */
  readonly rate?: number | undefined
  /** Requests to text models until the quota is used up. */
  readonly limit?: number | undefined
  /** Milliseconds until the quota renews. */
  readonly renewal?: number | undefined
  /** The share of inference requests that fail with status 503, from 0 to 1. */
  readonly failing?: number | undefined
  /** The time before the answer to an inference request begins. */
  readonly latency?: TimeRange | undefined
  /** Milliseconds since 1970 (default: the system's clock). */
  readonly now?: () => number
}

/** In bytes: enough for the longest context with images. */
const maxBodySize = 32 * 1024 * 1024

/** Not a secret: it is only valid for the sandbox. */
const sandboxKey = 'sandbox-key'

/** @throws FailedError when the port cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const account = new Account(options.limit, options.now, options.renewal)
  const server = createServer((request, response) => void answer(request, response, account, options))
  try {
    server.listen(options.port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    throw listenFailure(error, options.port)
  }
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    key: sandboxKey,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function listenFailure(error: unknown, port: number): unknown {
  if (!isSystemError(error)) return error
  const reasons: Record<string, string> = { EADDRINUSE: 'port already in use', EACCES: 'permission denied' }
  const reason = reasons[error.code ?? ''] ?? error.message
  return new FailedError(`the sandbox cannot listen on port ${port}: ${reason}`, {
    hint: 'choose another port with --port, or omit --port to use a free one',
    cause: error,
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  account: Account,
  options: SandboxOptions,
): Promise<void> {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  // The two official clients read different headers.
  response.setHeader('x-request-id', requestId)
  response.setHeader('request-id', requestId)
  const { method = '', url = '' } = request
  const [path = ''] = url.split('?', 1)
  try {
    checkSource(request)
    // Always read the body, so that the connection can be reused.
    const bytes = method === 'POST' ? await readBytes(request) : undefined
    checkKey(request)
    const route = findRoute(method, path)
    if (route.isInference) failAtRandom(options)
    const endpoint = await route.load()
    const reply = await endpoint(method === 'POST' ? parseBody(bytes) : undefined, account).finally(() => {
      if (route.isInference) response.setHeader('x-synthetic-quotas', JSON.stringify(account.record()))
    })
    if (route.isInference && options.latency) await pauseWhileOpen(response, options.latency)
    if (response.destroyed) return
    if ('json' in reply) return sendJson(response, 200, reply.json)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    await sendEvents(response, reply.events, options.rate ?? (options.isPaced ? defaultRate : 0))
  } catch (error) {
    const reason = errorMessage(error)
    const failure = error instanceof HttpError ? error : new HttpError(500, `Error from inference backend: ${reason}`)
    if (response.headersSent || response.destroyed) response.destroy()
    else sendJson(response, failure.status, errorBody(path, failure, requestId))
  }
}

/** @throws HttpError for the share of requests that fail. */
function failAtRandom({ failing = 0 }: SandboxOptions): void {
  if (Math.random() < failing) throw new HttpError(503, 'Service unavailable: the sandbox fails at random, see --fail.')
}

/** Waits for a random time in the range, but not for a client that has disconnected. */
function pauseWhileOpen(response: ServerResponse, { least, most }: TimeRange): Promise<void> {
  return new Promise((resolve) => {
    const timer = startTimer(least + Math.random() * (most - least), resolve)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** @returns `undefined` for a body that is too large. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to the end anyway: a client that is still writing would miss an early reply.
    if (size > maxBodySize) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > maxBodySize ? undefined : Buffer.concat(chunks)
}

/** @throws HttpError: 413 for a body that is too large, 400 when it is not JSON. */
function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes) throw new HttpError(413, `The request body is larger than ${maxBodySize} bytes.`)
  if (!isUtf8(bytes)) throw new HttpError(400, 'The request body is not UTF-8.')
  const text = bytes.toString('utf8')
  const json = parseJsonIfValid(text)
  if (json === undefined) throw new HttpError(400, `The request body is ${describeInvalidJson(text)}`)
  return json
}

/**
 * Refuses what only a browser sends that shows the page of another site. With a name of its own that resolves to loopback (DNS
 * rebinding), such a page could read the replies: then `Host` has that name. Ports are not compared: a forwarded one is another.
 * @throws HttpError: 421 for another host (RFC 9110, section 15.5.20), 403 for a page of one.
 */
function checkSource({ headers: { host = '', origin } }: IncomingMessage): void {
  if (!isLoopbackUrl(`http://${host}`)) throw new HttpError(421, 'The sandbox answers to the host localhost only.')
  // A page of this machine may be of a development server that passes requests on.
  if (origin !== undefined && !isLoopbackUrl(origin)) {
    throw new HttpError(403, 'The sandbox does not answer to web pages of other hosts.')
  }
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/** Every request needs the key (section 5). */
function checkKey(request: IncomingMessage): void {
  const { authorization } = request.headers
  if (authorization === undefined) throw new HttpError(401, 'No API key: send the header Authorization: Bearer KEY.')
  if (authorization !== `Bearer ${sandboxKey}`) throw new HttpError(401, 'Invalid API key.')
}

function sendJson(response: ServerResponse, status: number, json: Json): void {
  const text = JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
