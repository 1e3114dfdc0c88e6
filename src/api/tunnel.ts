/** The way to the service through a proxy. Loaded only where there is one. */

import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { ConnectTimeout, ProxyRefusal } from './failures.ts'

type Connected = (...outcome: [error: null, socket: Socket | TLSSocket] | [error: Error, socket: null]) => void

export interface TunnelOptions {
  /** Longest wait for the connection, in milliseconds. */
  readonly timeout: number
  /** Gives the attempt up. */
  readonly signal: AbortSignal
}

/**
 * Makes a connector for undici, which opens a tunnel for plain http too, so that the proxy never sees the key. undici's
 * own ProxyAgent retries without end when a proxy closes the connection without an answer.
 * @param proxy Address of the proxy, perhaps with a name and password.
 */
export function tunnelThrough(proxy: URL, target: URL, options: TunnelOptions) {
  return (_options: unknown, connected: Connected): void => {
    connect(proxy, target, options).then(
      (socket) => connected(null, socket),
      (error: Error) => connected(error, null),
    )
  }
}

async function connect(proxy: URL, target: URL, options: TunnelOptions): Promise<Socket> {
  if (target.protocol !== 'https:') return openTunnel(proxy, target, options)
  return secure(await openTunnel(proxy, target, options), target)
}

function openTunnel(proxy: URL, target: URL, { timeout, signal }: TunnelOptions): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? requestSecure : requestPlain
  const place = `${target.hostname}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      host: bare(proxy.hostname),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: place,
      headers: { host: place, ...credentials(proxy) },
      agent: false,
      signal,
      timeout,
    })
    asking.on('error', reject)
    asking.once('timeout', () => asking.destroy(new ConnectTimeout()))
    asking.once('response', ({ statusCode }) => {
      reject(new ProxyRefusal(statusCode ?? 0))
      asking.destroy()
    })
    asking.once('connect', ({ statusCode }, socket: Duplex) => {
      if (statusCode === 200) return resolve(socket as Socket)
      reject(new ProxyRefusal(statusCode ?? 0))
      return socket.destroy()
    })
    asking.end()
  })
}

function secure(tunnel: Socket, { hostname }: URL): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // TLS has no server name for an IP address.
    const name = isIP(bare(hostname)) ? {} : { servername: hostname }
    const socket = connectSecure({ socket: tunnel, host: bare(hostname), ALPNProtocols: ['http/1.1'], ...name })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function credentials({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
