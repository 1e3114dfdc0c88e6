/**
 * A connection that is opened before its request is complete. Its errors are never reported: the request opens another one,
 * and reports its own.
 */

import { isIP, type Socket } from 'node:net'
import { onAbort } from '../io/time/abort-signal.ts'
import { startTimer } from '../io/time/time.ts'
import { isLoopback, socketHost } from '../io/url.ts'
import { ConnectTimeout, isLostConnection } from './failures.ts'

/** A connector of undici. Resolves the name, connects, and for https completes the handshake. */
type Connector = (
  target: { protocol: string; host: string; hostname: string; port: string },
  onConnected: (...outcome: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void

/** In milliseconds. */
const longestRoundTrip = 1000

export class Preconnection {
  readonly #abandoning = new AbortController()
  /** `undefined` if it failed. */
  readonly #opened: Promise<Socket | undefined>
  #stage: 'resolving' | 'connecting' | 'open' = 'resolving'
  /** Set if the connection was idle before. `at`: by `performance.now()`. */
  #taken: { readonly socket: Socket; readonly at: number } | undefined

  /** @param createConnector Creates a connector without a time limit; the signal ends what it has opened. */
  constructor(url: URL, createConnector: (signal: AbortSignal) => Connector, closing: AbortSignal) {
    const signal = AbortSignal.any([closing, this.#abandoning.signal])
    this.#opened = this.#start(url, createConnector(signal), signal).catch(() => undefined)
  }

  async #start(url: URL, connect: Connector, signal: AbortSignal): Promise<Socket> {
    const { protocol, host, port } = url
    // undici passes a host without brackets to a connector, too.
    const target = { protocol, host, hostname: socketHost(url), port }
    await checkNameServers(target.hostname, signal)
    signal.throwIfAborted()
    this.#stage = 'connecting'
    return new Promise((resolve, reject) =>
      connect(target, (error, socket) => {
        if (error) return reject(error)
        this.#stage = 'open'
        resolve(socket)
      }),
    )
  }

  /**
   * The connection, for a request that is written to it at once.
   * @param timeout For connecting, in milliseconds.
   * @returns `undefined` if the request must connect itself.
   * @throws ConnectTimeout
   */
  async take(timeout: number): Promise<Socket | undefined> {
    if (this.#stage === 'resolving') {
      this.abandon()
      return undefined
    }
    const isIdle = this.#stage === 'open'
    const timer = startTimer(timeout, () => this.abandon())
    const socket = await this.#opened
    clearTimeout(timer)
    if (this.#abandoning.signal.aborted) throw new ConnectTimeout()
    // Reads what has arrived, such as the end of the connection. Twice, because the first may run before anything is read.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    // A connection with data is of no use: some services send `408 Request Timeout` when no request comes.
    if (socket?.readable && socket.writable && socket.readableLength === 0) {
      if (isIdle) this.#taken = { socket, at: performance.now() }
      return socket
    }
    this.abandon()
    return undefined
  }

  abandon(): void {
    this.#abandoning.abort()
  }

  /**
   * Whether the request that took the connection may be sent once more. The service closes a connection that was idle for
   * some time, perhaps just as the request is on its way: it has not read the request then. Chrome and curl send it again,
   * too, also a POST (RFC 9110, section 9.2.2). If a new connection is closed, or closed later, the request is rather
   * the reason, and the service may have handled it.
   */
  wasClosedWhileIdle(error: unknown): boolean {
    if (!this.#taken) return false
    const { socket, at } = this.#taken
    return performance.now() - at < longestRoundTrip && socket.bytesRead === 0 && isLostConnection(error)
  }
}

/**
 * Waits for the name servers, so that getaddrinfo, which Node uses to connect, will not take long: it cannot be stopped, and
 * until it gives up, perhaps after half a minute, the process does not end, not even by `process.exit`. Any answer will do,
 * as the name may be in /etc/hosts.
 * @throws if they are silent, or the signal aborts.
 */
async function checkNameServers(hostname: string, signal: AbortSignal): Promise<void> {
  if (isIP(hostname) !== 0 || isLoopback(hostname)) return
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver()
  using _listener = onAbort(signal, () => resolver.cancel())
  try {
    await resolver.resolve4(hostname)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error
  }
}
