/** Connects to the service through a proxy. Loaded only if there is one. */

import { once } from 'node:events'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecure, type SecureContext, type TLSSocket } from 'node:tls'
import { onAbort } from '../io/time/abort-signal.ts'
import { startTimer } from '../io/time/time.ts'
import { portOf, socketHost } from '../io/url.ts'
import { ConnectTimeout, ProxyStatusError } from './failures.ts'

interface TunnelOptions {
  /** Aborts connecting. */
  readonly signal: AbortSignal
  readonly secureContext?: SecureContext
}

/**
 * Opens a tunnel for http too, so that the proxy never sees the key. undici's own ProxyAgent retries endlessly when a proxy
 * closes the connection without a reply.
 * @param proxy May contain a user name and password.
 * @param timeout For connecting, the handshake of TLS included, in milliseconds.
 * @throws ConnectTimeout, ProxyStatusError, errors of the socket, and the signal's reason.
 */
export async function connectThrough(
  proxy: URL,
  target: URL,
  { timeout, signal, ...trust }: TunnelOptions & { readonly timeout: number },
): Promise<Socket> {
  const late = new AbortController()
  using _timer = startTimer(timeout, () => late.abort(new ConnectTimeout()))
  const options = { ...trust, signal: AbortSignal.any([signal, late.signal]) }
  try {
    const tunnel = await openTunnel(proxy, target, options)
    return target.protocol === 'https:' ? await secure(tunnel, target, options) : tunnel
  } catch (error) {
    throw options.signal.aborted ? options.signal.reason : error
  }
}

function openTunnel(proxy: URL, target: URL, options: TunnelOptions): Promise<Socket> {
  const sendRequest = proxy.protocol === 'https:' ? requestSecure : requestPlain
  const hostAndPort = `${target.hostname}:${portOf(target)}`
  return new Promise((resolve, reject) => {
    const request = sendRequest({
      method: 'CONNECT',
      host: socketHost(proxy),
      port: portOf(proxy),
      path: hostAndPort,
      headers: { host: hostAndPort, ...credentials(proxy) },
      agent: false,
      ...options,
    })
    request.on('error', reject)
    request.once('response', ({ statusCode }) => {
      reject(new ProxyStatusError(statusCode ?? 0))
      request.destroy()
    })
    request.once('connect', ({ statusCode }, socket: Duplex) => {
      if (statusCode === 200) return resolve(socket as Socket)
      reject(new ProxyStatusError(statusCode ?? 0))
      return socket.destroy()
    })
    request.end()
  })
}

async function secure(tunnel: Socket, target: URL, { secureContext, signal }: TunnelOptions): Promise<TLSSocket> {
  const host = socketHost(target)
  // TLS allows no IP address as server name.
  const name = isIP(host) ? {} : { servername: host }
  const socket = connectSecure({ socket: tunnel, host, ALPNProtocols: ['http/1.1'], secureContext, ...name })
  using _listener = onAbort(signal, () => socket.destroy(signal.reason as Error))
  await once(socket, 'secureConnect')
  return socket
}

function credentials({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
