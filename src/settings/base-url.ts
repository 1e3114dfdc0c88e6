/** Normalizes and checks the base URL. */

import { UsageError } from '../errors.ts'
import type { Json } from '../io/json.ts'
import { isLoopback } from '../io/url.ts'

/**
 * Endings that belong to an operation's path, which people paste along with the base URL. `/v1` alone stays: other services
 * have their API there (`urlsOf` in api/operations.ts).
 */
const apiPath = /(\/((openai|anthropic)(\/+v1)?|v2)?)+$/

/** The path of an operation itself. */
const operationPath =
  /(\/v1)\/(chat\/completions|completions|embeddings|models|messages(\/count_tokens)?)\/*$|\/v2\/quotas\/*$/

/** Stands in for a URL that may contain a password. */
const hidden = 'the URL'

/**
 * @returns origin and path prefix, without a trailing slash.
 * @param where Names the value in errors. These never show a URL that may contain a password.
 * @throws UsageError
 */
export function normalizeBaseUrl(text: string, where: string): string {
  const trimmed = text.trim()
  const shown = /[@?#]/.test(trimmed) ? hidden : JSON.stringify(trimmed)
  if (!/^https?:\/\//i.test(trimmed)) throw noScheme(trimmed, shown, where)
  if (!URL.canParse(trimmed)) throw new UsageError(`${where}: ${shown} is not a valid URL`)
  const url = new URL(trimmed)
  if (url.username || url.password) throw new UsageError(`${where}: a URL with a user name or password is not accepted`)
  if (/[?#]/.test(trimmed)) throw new UsageError(`${where}: a URL with a query or fragment is not accepted`)
  return url.origin + url.pathname.replace(operationPath, '$1').replace(apiPath, '')
}

function noScheme(text: string, shown: string, where: string): UsageError {
  const message = `${where}: ${shown} does not start with https://`
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text) || shown === hidden) return new UsageError(message)
  // The URL class takes `https:///x` for https://x.
  if (!/^[\p{L}\p{N}[]/u.test(text)) return new UsageError(message)
  const scheme = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname) ? 'http' : 'https'
  const meant = `${scheme}://${text}`
  return new UsageError(message, { hint: URL.canParse(meant) ? `did you mean ${meant}?` : undefined })
}

/**
 * Prevents sending the key unencrypted.
 * @throws UsageError for plain http to another machine, unless allowed.
 */
export function checkTransport(baseUrl: string, isHttpAllowed: boolean): void {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (protocol === 'https:' || isHttpAllowed || isLoopback(hostname)) return
  throw new UsageError(`refusing to send the API key unencrypted to ${origin}`, {
    hint: 'use https, or --allow-http to send it anyway',
  })
}

/** The origin of a URL that was checked before; `undefined` if there is none. */
export function originOf(baseUrl: Json | undefined): string | undefined {
  return typeof baseUrl === 'string' ? new URL(baseUrl).origin : undefined
}
