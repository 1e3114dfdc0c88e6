/** The sandbox's HTTP server: every endpoint of the specification, on loopback. */

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { errorMessage, FailedError, isSystemError, reasonOf } from '../errors.ts'
import { requestLimit } from '../api/operations.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { describeInvalidJson, parseJsonIfValid } from '../io/json/parse.ts'
import { pause } from '../io/time/time.ts'
import { Account, type AccountOptions } from './account.ts'
import { defaultRate } from './defaults.ts'
import { type SandboxReply, HttpError, type SandboxEvent } from './endpoint.ts'
import { findEndpoint } from './endpoints.ts'

export interface SandboxOptions extends AccountOptions {
  /** 0 for any free port. */
  readonly port: number
  /** Tokens per second of a streamed answer; 0 for no delay. */
  readonly rate?: number | undefined
  /** The share of inference requests that fail with status 503, from 0 to 1. */
  readonly failing?: number | undefined
  /** Milliseconds before the answer to an inference request begins. */
  readonly latency?: number | undefined
}

/** No secret: this key, and those that begin with it, are valid for the sandbox only. */
const sandboxKey = 'sandbox-key'

/** @throws FailedError when the port cannot be used. */
export async function startSandbox(options: SandboxOptions) {
  const accounts = new Map([
    [`Bearer ${sandboxKey}`, new Account(options)],
    [`Bearer ${sandboxKey}-limited`, new Account(options, 'used up')],
    [`Bearer ${sandboxKey}-no-quota`, new Account(options, 'no quota')],
    [`Bearer ${sandboxKey}-no-credit`, new Account(options, 'no subscription')],
  ])
  const server = createServer((request, response) => void handleRequest(request, response, accounts, options))
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
    /** Stops immediately, and closes open connections. */
    async close(): Promise<void> {
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
  return new FailedError(`the sandbox cannot listen on port ${port}: ${reasonOf(error)}`, {
    hint: 'choose another port with --port, or omit --port to use a free one',
    cause: error,
  })
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  accounts: ReadonlyMap<string, Account>,
  options: SandboxOptions,
): Promise<void> {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  // The two official clients read different headers.
  response.setHeader('x-request-id', requestId)
  response.setHeader('request-id', requestId)
  response.setHeader('date', new Date((options.now ?? Date.now)()).toUTCString())
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  const { method = '', url = '' } = request
  const [path = ''] = url.split('?', 1)
  try {
    // Always read the body, so that the connection can be reused.
    const bytes = method === 'POST' ? await readBytes(request) : undefined
    const account = findAccount(request.headers, accounts)
    const { endpoint, isInference } = findEndpoint(method, path)
    if (isInference && Math.random() < (options.failing ?? 0)) {
      throw new HttpError(503, 'Service unavailable: the sandbox fails at random, see --fail.')
    }
    let reply: SandboxReply
    try {
      reply = await endpoint(method === 'POST' ? parseBody(bytes) : undefined, account, ended.signal)
    } finally {
      if (isInference) response.setHeader('x-synthetic-quotas', JSON.stringify(account.record()))
    }
    if (isInference && options.latency) await pause(options.latency, { signal: ended.signal })
    if (response.destroyed) return
    if ('json' in reply) return sendJson(response, 200, reply.json)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    await sendEvents(response, reply.events, options.rate ?? defaultRate)
  } catch (error) {
    const reason = errorMessage(error)
    const failure = error instanceof HttpError ? error : new HttpError(500, `Error from inference backend: ${reason}`)
    if (response.headersSent || response.destroyed) response.destroy()
    else sendJson(response, failure.status, errorBody(path, failure, requestId))
  }
}

const messagesErrorTypes: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

/** @param path Of the request: the API dialects have different error formats. */
function errorBody(path: string, { status, message }: HttpError, requestId: string): JsonObject {
  if (!path.startsWith('/anthropic/')) return { error: message }
  const type = messagesErrorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message }, request_id: requestId }
}

/** In characters. Events without pacing are written in blocks. */
const blockSize = 64 * 1024

/** Writes the events until they end. @param rate Tokens per second; 0 for no delay. @throws when the client disconnects. */
export function sendEvents(response: ServerResponse, events: Iterable<SandboxEvent>, rate: number): Promise<void> {
  const start = performance.now()
  let tokens = 0
  return pipeline(async function* blocks({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<string> {
    let block = ''
    for (const { name, data, isToken } of events) {
      if (isToken) tokens++
      // Relative to the start: the errors of coarse timers would add up.
      const wait = rate > 0 && isToken ? start + (tokens * 1000) / rate - performance.now() : 0
      if (block !== '' && (wait > 0 || block.length > blockSize)) {
        yield block
        block = ''
      }
      if (wait > 0) await pause(wait, { signal })
      block += `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
    }
    yield block
  }, response)
}

/** @returns `undefined` for a body that is too large. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to the end anyway: a client that is still writing would miss an early reply.
    if (size > requestLimit) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > requestLimit ? undefined : Buffer.concat(chunks)
}

/** @throws HttpError: 400 when it is not JSON, as a body is that was too large and is cut. */
function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes) throw new HttpError(400, 'Could not parse request as valid JSON. Unterminated string in JSON.')
  if (!isUtf8(bytes)) throw new HttpError(400, 'The request body is not UTF-8.')
  const text = bytes.toString('utf8')
  const json = parseJsonIfValid(text)
  if (json === undefined) throw new HttpError(400, `The request body is ${describeInvalidJson(text)}`)
  return json
}

/** Every request needs a key (section 5). @param accounts By the header that has their key. */
function findAccount({ authorization }: IncomingHttpHeaders, accounts: ReadonlyMap<string, Account>): Account {
  if (authorization === undefined) throw new HttpError(401, 'No API key: send the header Authorization: Bearer KEY.')
  const account = accounts.get(authorization)
  if (!account) throw new HttpError(401, 'Invalid API key.')
  return account
}

function sendJson(response: ServerResponse, status: number, json: Json): void {
  const text = JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
