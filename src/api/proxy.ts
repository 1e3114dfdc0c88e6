/** Which proxy of the environment, if any, a request goes through. */

import { UsageError } from '../errors.ts'
import { isLoopback } from '../io/url.ts'

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
