/** Chooses the proxy for a request by the environment variables that curl uses. */

import { BlockList, isIP } from 'node:net'
import { UsageError } from '../errors.ts'
import { isLoopback, portOf, socketHost } from '../io/url.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Loopback is never proxied: the key would leave the machine.
 * @throws UsageError for an invalid proxy URL.
 */
export function proxyFor(target: URL, env: Environment): URL | undefined {
  if (isLoopback(target.hostname) || isExempt(target, read(env, 'no_proxy') ?? '')) return undefined
  const own = `${target.protocol.slice(0, -1)}_proxy`
  const name = read(env, own) === undefined ? 'all_proxy' : own
  const address = read(env, name)
  if (address === undefined) return undefined
  const url = parse(address.includes('://') ? address : `http://${address}`)
  // The value is not quoted: a URL may contain a password.
  if (!url)
    throw new UsageError(`${name.toUpperCase()}: not a proxy URL; expected http://HOST:PORT or https://HOST:PORT`)
  return url
}

function parse(address: string): URL | undefined {
  try {
    const url = new URL(address)
    decodeURIComponent(url.username + url.password)
    return /^https?:\/\/[^/]/.test(address) ? url : undefined
  } catch {
    return undefined
  }
}

function read(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined
}

/**
 * NO_PROXY as in curl: host names that also match their subdomains, addresses, subnets such as 10.0.0.0/8, or `*`; here each name and
 * address may have a port.
 */
function isExempt(target: URL, list: string): boolean {
  const host = socketHost(target).replace(/\.$/, '')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    // The port of an IPv6 address follows brackets.
    const [, given = '', port] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (given === '' || (port !== undefined && port !== portOf(target))) return false
    if (isIP(host) !== 0) return isInSubnet(host, given.replace(/[[\]]/g, ''))
    const name = given.replace(/^\*?\.|\.$/g, '')
    return host === name || host.endsWith(`.${name}`)
  })
}

/** @param subnet An address, perhaps with the length of its prefix. */
function isInSubnet(host: string, subnet: string): boolean {
  const [address = '', prefix] = subnet.split('/')
  const [family, length] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  const subnets = new BlockList()
  try {
    subnets.addSubnet(address, prefix ? Number(prefix) : length, family)
  } catch {
    return false
  }
  // The list takes an IPv4 address for the IPv6 one that it is mapped to.
  return isIP(host) === isIP(address) && subnets.check(host, family)
}
