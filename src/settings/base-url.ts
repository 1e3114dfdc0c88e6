/** The base address in the one form that is stored, compared and sent to. */

import { UsageError } from '../errors.ts'
import type { Json } from '../io/json.ts'
import { isLoopback } from '../io/url.ts'

/** Ends that belong to an operation's path, or that people paste along with the address. */
const apiPath = /(\/(openai|anthropic|v1|v2)?)+$/

/**
 * Origin and prefix, without a trailing slash.
 * @param where Names the text in errors, which never show what may hold a password.
 * @throws UsageError
 */
export function normalizeBaseUrl(text: string, where: string): string {
  const trimmed = text.trim()
  const shown = /[@?#]/.test(trimmed) ? 'this' : JSON.stringify(trimmed)
  if (!/^https?:\/\//i.test(trimmed)) throw notAnAddress(trimmed, shown, where)
  if (!URL.canParse(trimmed)) throw new UsageError(`${where}: ${shown} is not an address`)
  const url = new URL(trimmed)
  if (url.username || url.password) throw new UsageError(`${where}: an address with a user name or password is refused`)
  if (/[?#]/.test(trimmed)) throw new UsageError(`${where}: an address with a query or a fragment is refused`)
  return url.origin + url.pathname.replace(apiPath, '')
}

function notAnAddress(text: string, shown: string, where: string): UsageError {
  const message = `${where}: ${shown} is not an address that starts with https://`
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text) || shown === 'this') return new UsageError(message)
  const scheme = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname) ? 'http' : 'https'
  const meant = `${scheme}://${text}`
  return new UsageError(message, { hint: URL.canParse(meant) ? `did you mean ${meant}?` : undefined })
}

/**
 * Keeps the key from travelling readable for everyone.
 * @throws UsageError for plain http to another machine, unless that is allowed.
 */
export function checkTransport(baseUrl: string, isHttpAllowed: boolean): void {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (protocol === 'https:' || isHttpAllowed || isLoopback(hostname)) return
  throw new UsageError(`${origin} would get the key over plain http, readable on the way`, {
    hint: 'use https, or --allow-http if you mean it',
  })
}

/** The origin of an address that was checked before; nothing when there is none. */
export function originOf(baseUrl: Json | undefined): string | undefined {
  return typeof baseUrl === 'string' ? new URL(baseUrl).origin : undefined
}
