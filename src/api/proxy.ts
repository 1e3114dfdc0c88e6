/** Chooses the proxy for a request by the environment variables that curl uses. */

import { UsageError } from '../errors.ts'
import { isLoopback, portOf } from '../io/url.ts'

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

/** NO_PROXY as in curl: host names that also match their subdomains, each with an optional port, or `*`. */
function isExempt(target: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', entryPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (entryPort !== undefined && entryPort !== portOf(target))) return false
    return target.hostname === name || target.hostname.endsWith(`.${name}`)
  })
}
