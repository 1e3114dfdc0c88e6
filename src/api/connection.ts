/** One HTTP exchange with the service: the only file that knows undici. */

import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { NetworkError } from '../errors.ts'
import { connectionFailure } from './failures.ts'
import { proxyFor } from './proxy.ts'

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; repeated headers joined. */
  readonly headers: Readonly<Record<string, string>>
  /** What the service sends, decoded, read by read. Leaving the loop ends the request. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** The longest times without data, in milliseconds; 0: no limit. */
export interface Timeouts {
  /** Before the headers, and again before the first byte of the body. */
  readonly firstByte: number
  /** Between two reads of the body. */
  readonly between: number
}

/** How long to wait for a connection, in milliseconds: a host that is up answers within a fraction of it. */
const connectTimeout = 10_000

const mostRedirects = 5

export class Connection {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #timeouts: Timeouts
  readonly #signal: AbortSignal
  readonly #closing = new AbortController()
  #agent: Promise<Dispatcher> | undefined

  constructor(env: Readonly<Record<string, string | undefined>>, timeouts: Timeouts, signal: AbortSignal) {
    this.#env = env
    this.#timeouts = timeouts
    this.#signal = signal
    // Each socket listens to it, and Node takes more than ten listeners for a leak.
    setMaxListeners(0, this.#closing.signal)
  }

  /**
   * @param stopping Ends this exchange, and must itself be aborted with the run.
   * @throws NetworkError when nothing answers in time, or a redirect leads elsewhere.
   * @throws UsageError for a proxy address that can't be used.
   * @throws the signal's reason when the exchange is stopped.
   */
  async exchange(outgoing: HttpRequest, stopping = this.#signal): Promise<HttpResponse> {
    let { url } = outgoing
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const exchange = await this.#exchangeOnce({ ...outgoing, url }, stopping)
      const { location } = exchange.headers
      if (exchange.status < 300 || exchange.status > 399 || location === undefined) return exchange
      exchange.discard()
      url = redirectTarget(outgoing, exchange.status, location)
    }
    throw new NetworkError(`${outgoing.url.origin} redirects in circles`)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const agent = await this.#agent
    await agent?.destroy()
  }

  async #exchangeOnce(
    { method, url, headers, body }: HttpRequest,
    stopping: AbortSignal,
  ): Promise<HttpResponse & { discard(): void }> {
    const proxy = proxyFor(url, this.#env)
    this.#agent ??= createAgent(url, proxy, this.#closing.signal)
    const inWords = (error: unknown): Error => connectionFailure(error, url, proxy)
    const abort = new AbortController()
    const stop = (): void => abort.abort(stopping.reason)
    if (stopping.aborted) stop()
    stopping.addEventListener('abort', stop, { once: true })
    const idle = new IdleTimer((seconds) => abort.abort(idleFailure(url, seconds)))
    const finish = (): void => {
      idle.stop()
      stopping.removeEventListener('abort', stop)
      abort.abort()
    }
    try {
      idle.start(this.#timeouts.firstByte)
      const asking = request.call(await this.#agent, {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body: body ?? null,
        signal: abort.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const response = await orAborted(asking, abort.signal)
      idle.stop()
      const read = readBody(response, idle, this.#timeouts, abort.signal, finish, inWords)
      return { status: response.statusCode, headers: joinHeaders(response.headers), body: read, discard: finish }
    } catch (error) {
      const reason = abort.signal.aborted ? (abort.signal.reason as Error) : inWords(error)
      finish()
      throw reason
    }
  }
}

/** @param signal Gives up connecting, which undici itself would go on with. */
async function createAgent(url: URL, proxy: URL | undefined, signal: AbortSignal): Promise<Dispatcher> {
  if (proxy === undefined) return new Agent({ connect: { timeout: connectTimeout, signal } })
  const { tunnelThrough } = await import('./tunnel.ts')
  return new Agent({ connect: tunnelThrough(proxy, url, { timeout: connectTimeout, signal }) })
}

/** @throws the signal's reason as soon as there is one: undici heeds a signal only once it is connected. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
    work.catch(() => undefined)
  }
}

/** Reads the body, each read within its timeout; time that the reader spends elsewhere doesn't count. */
async function* readBody(
  response: Dispatcher.ResponseData,
  idle: IdleTimer,
  { firstByte, between }: Timeouts,
  signal: AbortSignal,
  finish: () => void,
  inWords: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const chunks = (await decoded(response))[Symbol.asyncIterator]()
    // Services send the headers at once, and the first byte when the model has read the prompt.
    for (let timeout = firstByte; ; timeout = between) {
      idle.start(timeout)
      const next = await chunks.next()
      idle.stop()
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : inWords(error)
  } finally {
    finish()
  }
}

async function decoded({ headers, body }: Dispatcher.ResponseData): Promise<AsyncIterable<Uint8Array>> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return body as AsyncIterable<Uint8Array>
  const [{ createGunzip, createInflate, createBrotliDecompress, constants }, { pipeline }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  // Flush after every write: what the service has sent is shown now, not when the compressor's block is full.
  const flush = constants.Z_SYNC_FLUSH
  const makers: Record<string, () => NodeJS.ReadWriteStream> = {
    gzip: () => createGunzip({ flush }),
    'x-gzip': () => createGunzip({ flush }),
    deflate: () => createInflate({ flush }),
    br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  }
  const make = makers[encoding]
  if (!make) throw new NetworkError(`the reply is encoded as ${encoding}, which can't be read`)
  const decoder = make()
  pipeline(body, decoder, () => undefined)
  return decoder as unknown as AsyncIterable<Uint8Array>
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]))
}

/** Where a redirect may lead: to the same origin, and only when the request stays what it was. */
function redirectTarget({ method, url }: HttpRequest, status: number, location: string): URL {
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
  const isKept = method === 'GET' || status === 307 || status === 308
  if (target && target.origin === url.origin && isKept) return target
  const where = target ? `${target.protocol}//${target.host}${target.pathname}` : 'an address that makes no sense'
  throw new NetworkError(`${url.origin} redirects to ${where}, which is refused: the key is for ${url.origin} alone`, {
    hint: 'if the service has moved, store its new address: syn login',
  })
}

function idleFailure(url: URL, seconds: number): NetworkError {
  return new NetworkError(`${url.origin} was silent for ${seconds} s`, {
    hint: '--timeout SECONDS sets how long a silence is borne',
  })
}

/** The longest that a timer can wait; beyond it Node fires at once. */
const longestTimer = 2 ** 31 - 1

/** Limits how long something may go without data. */
class IdleTimer {
  readonly #onTooLong: (seconds: number) => void
  #timer: NodeJS.Timeout | undefined

  constructor(onTooLong: (seconds: number) => void) {
    this.#onTooLong = onTooLong
  }

  /** @param timeout In milliseconds; 0: no limit. */
  start(timeout: number): void {
    this.stop()
    if (timeout === 0) return
    this.#timer = setTimeout(() => this.#onTooLong(timeout / 1000), Math.min(timeout, longestTimer))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
