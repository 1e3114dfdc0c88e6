/** Sends one HTTP request at a time. With exchange.ts the only import site of undici. */

import { setMaxListeners } from 'node:events'
import type { LookupFunction, Socket } from 'node:net'
import type { Transform } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import type { buildConnector } from 'undici'
import createConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { advice, checkBaseUrl, InternalError, NetworkError, syn } from '../errors.ts'
import { onAbort } from '../io/time/abort-signal.ts'
import { isLocalhost } from '../io/url.ts'
import { maxHeldBack } from '../stream/reply-budget.ts'
import { trustOption } from './certificates.ts'
import { Exchange, type HttpReply } from './exchange.ts'
import { connectionFailure } from './failures.ts'
import { Preconnection } from './preconnection.ts'
import { proxyFor } from './proxy.ts'
import { ReplySocket } from './reply-socket.ts'

// At exit Node 20, which has no navigator, waits about 75 ms for V8 to optimize the HTTP parser's WebAssembly, which undici
// compiles at its first connection. On newer versions the flag only costs.
if (!('navigator' in globalThis)) setFlagsFromString('--liftoff-only')

/** The body is decompressed, one chunk per network read. Leaving the loop ends the request. */
export interface HttpResponse extends HttpReply {
  /** Ends the request, also while the body is read, which then throws. */
  discard(): void
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether a redirect is returned (default: it is followed within the origin, as the key is only for that). */
  readonly returnsRedirects?: boolean
}

/** The longest times without data, in milliseconds; 0: no limit. */
export interface Timeouts {
  /** Before the headers, and again before the first byte of the body. */
  readonly firstByteTimeout: number
  /** Between two reads of the body. */
  readonly idleTimeout: number
}

/** In milliseconds. */
const connectTimeout = 10_000

/**
 * In milliseconds by the wall clock. A connection that was idle for longer is not used again: servers and routers may have
 * forgotten it. The clocks by which undici closes one stop while the machine sleeps.
 */
const longestIdle = 15_000

const maxRedirects = 5

/** Thrown to who still reads the body of a request that was ended. */
const ended = new Error('the request was ended')

export class Connection {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #timeouts: Timeouts
  readonly #closing = new AbortController()
  #agent: Promise<Agent> | undefined
  #trusted: ReturnType<typeof trustOption> | undefined
  readonly #inProgress = new Set<Exchange>()
  /** Opened for the next request. */
  #preconnection: Preconnection | undefined
  /** When a request or the preconnection began, or a request ended, by the wall clock. */
  #usedAt = Date.now()

  constructor(env: Readonly<Record<string, string | undefined>>, timeouts: Timeouts) {
    this.#env = env
    this.#timeouts = timeouts
    // Each socket adds a listener, and Node warns of a leak at more than ten.
    setMaxListeners(0, this.#closing.signal)
  }

  /**
   * Opens the connection for the next request, unless one is open or was tried before. Not through a proxy.
   * @param url Any of the service.
   * @throws UsageError for an invalid proxy URL.
   */
  async preconnect(url: URL): Promise<void> {
    if (proxyFor(url, this.#env)) return
    this.#leaveIdle()
    const stats = (await this.#agent)?.stats[url.origin]
    const trust = await this.#trust(url)
    if (this.#preconnection || stats?.connected || stats?.size) return
    this.#usedAt = Date.now()
    const connector = (signal: AbortSignal): buildConnector.connector =>
      createConnector({ timeout: 0, signal, ...trust, ...lookupOption(url) })
    this.#preconnection = new Preconnection(url, connector, this.#closing.signal)
  }

  /**
   * @param signal Aborts this request; must itself be aborted with the run.
   * @throws NetworkError when there is no reply in time, or for a refused redirect.
   * @throws UsageError for an invalid proxy URL.
   * @throws the signal's reason when it aborts.
   */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    let { url } = request
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await this.#sendOnce({ ...request, url }, signal)
      const { location } = response.headers
      const isRedirect = response.status >= 300 && response.status <= 399 && location !== undefined
      if (!isRedirect || request.returnsRedirects) return response
      response.discard()
      url = redirectTarget(request, response.status, location)
    }
    throw new NetworkError(`${request.url.origin}: too many redirects`)
  }

  /**
   * Fails all requests in progress, and connects anew for the next one: the error may come from a callback of any socket.
   * @param error What nothing caught.
   * @returns whether there were any.
   */
  fail(error: unknown): boolean {
    const failed = [...this.#inProgress]
    if (failed.length === 0) return false
    this.#agent = undefined
    const { message, hint } = new InternalError(error)
    for (const exchange of failed) exchange.abort(new NetworkError(message, { hint, cause: error, retryable: true }))
    return true
  }

  async close(): Promise<void> {
    const agent = await this.#agent
    // Before the signal aborts: each open socket would make an error of its own then, with a stack trace.
    const destroyed = agent?.destroy(ended)
    this.#closing.abort(ended)
    await destroyed
  }

  async #sendOnce(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    signal.throwIfAborted()
    const { method, url, headers, body } = request
    const proxy = proxyFor(url, this.#env)
    this.#leaveIdle()
    this.#usedAt = Date.now()
    this.#agent ??= this.#createAgent(url, proxy)
    const toNetworkError = (error: unknown, hasHeaders: boolean): Error =>
      exchange.reason ?? connectionFailure(error, url, proxy, hasHeaders)
    const exchange = new Exchange(url.origin, () => {
      ignoreAbort()
      this.#inProgress.delete(exchange)
      this.#usedAt = Date.now()
    })
    const ignoreAbort = onAbort(signal, () => exchange.abort(signal.reason as Error))
    this.#inProgress.add(exchange)
    let preconnection: Preconnection | undefined
    try {
      exchange.startIdleTimer(this.#timeouts.firstByteTimeout)
      const agent = await this.#agent
      preconnection = this.#preconnection
      const { origin, pathname, search } = url
      const path = pathname + search
      const options = { origin, path, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 }
      const pending = exchange.send(agent, options)
      // undici has called the connector by now, unless it uses an open connection.
      this.#takePreconnection()?.abandon()
      const reply = await pending
      exchange.stopIdleTimer()
      const received = readBody(reply, exchange, this.#timeouts, toNetworkError)
      return { ...reply, body: received, discard: () => exchange.abort(ended) }
    } catch (error) {
      const failure = toNetworkError(error, false)
      const isAborted = exchange.reason !== undefined
      exchange.abort(ended)
      if (!isAborted && preconnection?.wasClosedWhileIdle(error)) return this.#sendOnce(request, signal)
      throw failure
    }
  }

  /** Connects anew for the next request if nothing has happened for too long. Requests in progress go on. */
  #leaveIdle(): void {
    if (Date.now() - this.#usedAt <= longestIdle) return
    void this.#agent?.then((agent) => agent.close()).catch(() => undefined)
    this.#agent = undefined
    this.#takePreconnection()?.abandon()
  }

  #trust(url: URL): ReturnType<typeof trustOption> {
    return (this.#trusted ??= trustOption(url, this.#env))
  }

  async #createAgent(url: URL, proxy: URL | undefined): Promise<Agent> {
    const { signal } = this.#closing
    const trust = await this.#trust(url)
    // undici itself would continue to connect after the signal.
    const direct = createConnector({ timeout: connectTimeout, signal, ...trust, ...lookupOption(url) })
    let connect = this.#preferPreconnection(direct)
    if (proxy !== undefined) {
      const { connectThrough } = await import('./tunnel.ts')
      connect = (_target, onConnected) =>
        void connectThrough(proxy, url, { timeout: connectTimeout, signal, ...trust }).then(
          (socket) => onConnected(null, socket),
          (error: Error) => onConnected(error, null),
        )
    }
    return new Agent({
      connect: (target, onConnected) => {
        // undici connects once more after a request was aborted, and Node connects a socket although its signal was: nobody
        // closes it.
        if (signal.aborted) return onConnected(signal.reason as Error, null)
        connect(target, (error, socket) => {
          if (error) return onConnected(error, null)
          onConnected(null, new ReplySocket(socket) as unknown as Socket)
        })
      },
    })
  }

  /** @param connect Used if there is no preconnection. */
  #preferPreconnection(connect: buildConnector.connector): buildConnector.connector {
    return (options, onConnected) => {
      const preconnection = this.#takePreconnection()
      if (!preconnection) return connect(options, onConnected)
      preconnection.take(connectTimeout).then(
        (socket) => (socket ? onConnected(null, socket) : connect(options, onConnected)),
        (error: Error) => onConnected(error, null),
      )
    }
  }

  #takePreconnection(): Preconnection | undefined {
    const taken = this.#preconnection
    this.#preconnection = undefined
    return taken
  }
}

/**
 * For a connector. `localhost` and the names below it may get the API key unencrypted, so they are loopback whatever DNS or
 * /etc/hosts say, as in curl and in browsers (RFC 6761, section 6.3). Other names are left to the system.
 */
function lookupOption({ hostname }: URL): { lookup?: LookupFunction } {
  return isLocalhost(hostname) ? { lookup: lookUpLoopback } : {}
}

const lookUpLoopback: LookupFunction = (_hostname, { all }, onResolved) => {
  const loopback = { address: '127.0.0.1', family: 4 }
  if (all) onResolved(null, [{ address: '::1', family: 6 }, loopback])
  else onResolved(null, loopback.address, loopback.family)
}

/** Yields the body, with a timeout for each read. Time between reads does not count. */
async function* readBody(
  reply: HttpReply,
  exchange: Exchange,
  { firstByteTimeout, idleTimeout }: Timeouts,
  toNetworkError: (error: unknown, hasHeaders: boolean) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const chunks = (await decompressed(reply))[Symbol.asyncIterator]()
    // Services send the headers immediately, and the first byte once the model has read the prompt.
    for (let timeout = firstByteTimeout; ; timeout = idleTimeout) {
      exchange.startIdleTimer(timeout)
      const next = await chunks.next()
      exchange.stopIdleTimer()
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    throw toNetworkError(error, true)
  } finally {
    exchange.leave(ended)
  }
}

/** A service has a reason for one or two; each needs memory. */
const maxEncodings = 2

/** How many bytes one byte may become. Text rarely becomes 100, and gzip can reach 1,032: a reply that does is an attack. */
const maxExpansion = 1000

/** Undoes the content encodings, of which the last one was applied last (RFC 9110, section 8.4). */
async function decompressed({ headers, body }: HttpReply): Promise<AsyncIterable<Uint8Array>> {
  // Some services send an empty header. Not in lower case: the error would show an API key that is not found, and not masked.
  const names = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim())
  const encodings = names.filter((name) => name !== '' && name.toLowerCase() !== 'identity')
  if (encodings.length === 0) return body
  const { createUnzip, createBrotliDecompress, constants } = await import('node:zlib')
  const decoders = encodings.toReversed().flatMap((encoding) => {
    // Flush after every write, so that what has arrived is shown immediately.
    if (/^br$/i.test(encoding)) return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
    return /^((x-)?gzip|deflate)$/i.test(encoding) ? createUnzip({ flush: constants.Z_SYNC_FLUSH }) : []
  })
  if (decoders.length < encodings.length || encodings.length > maxEncodings) {
    throw new NetworkError(`the service sent an unsupported content encoding: ${encodings.join(', ')}`)
  }
  return decodedBy(decoders, body)
}

/** @throws NetworkError for a reply that is compressed far more than text can be. */
async function* decodedBy(decoders: readonly Transform[], body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [received, size] = [0, 0]
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of body) {
      received += chunk.length
      yield chunk
    }
  }
  for await (const chunk of decoders.reduce<AsyncIterable<Uint8Array>>(decodeWith, counted())) {
    size += chunk.length
    if (size > maxHeldBack && size > maxExpansion * received) {
      throw new NetworkError('the service sent a reply that is compressed more than 1,000 to 1')
    }
    yield chunk
  }
}

/** `pipeline()` would not do: when the connection breaks, it destroys the decoder with all that nobody has read of it yet. */
async function* decodeWith(encoded: AsyncIterable<Uint8Array>, decoder: Transform): AsyncGenerator<Uint8Array> {
  let failure: { error: unknown } | undefined
  const feed = async (): Promise<void> => {
    try {
      // The callback comes once the chunk is decoded and there is room for more.
      for await (const chunk of encoded) await new Promise((resolve) => decoder.write(chunk, resolve))
      decoder.end()
    } catch (error) {
      failure = { error }
      decoder.push(null)
    }
  }
  void feed()
  try {
    yield* decoder as AsyncIterable<Uint8Array>
  } catch (error) {
    // A slow reader has not taken everything that was decoded before the error.
    const rest = decoder.read() as Uint8Array | null
    if (rest) yield rest
    throw error
  }
  if (failure) throw failure.error
}

/** @throws NetworkError for a redirect to another origin, which must not get the key, or from POST to GET. */
function redirectTarget({ method, url }: HttpRequest, status: number, location: string): URL {
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
  const keepsMethod = method === 'GET' || status === 307 || status === 308
  if (target && target.origin === url.origin && keepsMethod) return target
  const isElsewhere = target?.origin !== url.origin
  const where = target ? (isElsewhere ? withoutQuery(location) : target.origin + target.pathname) : 'an invalid URL'
  const reason = isElsewhere ? `the API key is only for ${url.origin}` : `status ${status} changes POST to GET`
  throw new NetworkError(`${url.origin}: refusing the redirect to ${where}: ${reason}`, {
    hint: [checkBaseUrl, advice`if the service has moved, store the new one with ${syn('login --base-url URL')}`],
  })
}

/** Changes nothing else: `URL` writes a host in lower case, and an API key in it would not be found, and not masked. */
function withoutQuery(location: string): string {
  return location.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')
}
