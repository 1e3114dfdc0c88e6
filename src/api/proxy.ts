/** Proxies: which one of the environment a request goes through, if any, and the way through it. */

import { request as requestPlain } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { UsageError } from '../errors.ts'
import { isLoopback } from '../io/url.ts'
import { ConnectTimeout, ProxyRefusal } from './failures.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Loopback never goes through a proxy: the key would leave the machine.
 * @throws UsageError for a proxy address that can't be used.
 */
export function proxyFor(target: URL, env: Environment): URL | undefined {
  if (isLoopback(target.hostname) || isExempt(target, read(env, 'no_proxy') ?? '')) return undefined
  const own = `${target.protocol.slice(0, -1)}_proxy`
  const name = read(env, own) === undefined ? 'all_proxy' : own
  const address = read(env, name)
  if (address === undefined) return undefined
  const url = parse(address.includes('://') ? address : `http://${address}`)
  // Not quoted: it may hold a password.
  if (!url) throw new UsageError(`${name.toUpperCase()}: not a proxy address; expected http://HOST:PORT`)
  return url
}

function parse(address: string): URL | undefined {
  if (!/^https?:\/\/[^/]/.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  try {
    decodeURIComponent(url.username + url.password)
    return url
  } catch {
    return undefined
  }
}

function read(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined
}

/** NO_PROXY as curl reads it: names that match themselves and what ends in them, perhaps with a port, or `*`. */
function isExempt(target: URL, list: string): boolean {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', entryPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (entryPort !== undefined && entryPort !== port)) return false
    return target.hostname === name || target.hostname.endsWith(`.${name}`)
  })
}

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
  // Loaded before there is a tunnel: while something else is awaited, nothing listens for the errors of its socket.
  const tls = await import('node:tls')
  return secure(await openTunnel(proxy, target, options), target, tls)
}

async function openTunnel(proxy: URL, target: URL, { timeout, signal }: TunnelOptions): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? (await import('node:https')).request : requestPlain
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

function secure(tunnel: Socket, { hostname }: URL, tls: typeof import('node:tls')): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // TLS has no server name for an IP address.
    const name = isIP(bare(hostname)) ? {} : { servername: hostname }
    const socket = tls.connect({ socket: tunnel, host: bare(hostname), ALPNProtocols: ['http/1.1'], ...name })
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
