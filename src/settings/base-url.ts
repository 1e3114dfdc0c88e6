/** Normalizes and checks the base URL. */

import { UsageError } from '../errors.ts'
import type { Json } from '../io/json/json.ts'
import { isLoopback } from '../io/url.ts'

/**
 * Endings that belong to an operation's path, which people paste along with the base URL. `/v1` alone stays: other services
 * have their API there (`urlsOf` in api/operations.ts).
 */
const apiPath = /(\/((openai|anthropic)(\/+v1)?|v2)?)+$/

/** The path of an operation itself. */
const operationPath =
  /(\/v1)\/(chat\/completions|completions|embeddings|models|messages(\/count_tokens)?)\/*$|\/v2\/quotas\/*$/

/**
 * @returns origin and path prefix, without a trailing slash.
 * @param where Names the value in errors. These never show a URL that may contain a password.
 * @throws UsageError
 */
export function normalizeBaseUrl(text: string, where: string): string {
  const trimmed = withScheme(text.trim())
  const shown = /[@?#]/.test(trimmed) ? 'the URL' : JSON.stringify(trimmed)
  if (!/^https?:\/\//i.test(trimmed)) {
    // A single word may be a host of the local network, or a mistake.
    const hint = /^[\p{L}\p{N}-]+$/u.test(trimmed) ? `did you mean https://${trimmed}?` : undefined
    throw new UsageError(`${where}: ${shown} does not start with https://`, { hint })
  }
  if (!URL.canParse(trimmed)) throw new UsageError(`${where}: ${shown} is not a valid URL`)
  const url = new URL(trimmed)
  if (url.username || url.password) throw new UsageError(`${where}: a URL with a user name or password is not accepted`)
  if (/[?#]/.test(trimmed)) throw new UsageError(`${where}: a URL with a query or fragment is not accepted`)
  return url.origin + url.pathname.replace(operationPath, '$1').replace(apiPath, '')
}

/** `api.example.com/v1` → `https://api.example.com/v1`, `localhost:8080` → `http://localhost:8080`. */
function withScheme(text: string): string {
  // The URL class takes `https:///x` for https://x.
  if (!/^[\p{L}\p{N}[][^@?#]*$/u.test(text) || /^[^/]*:\/\//.test(text) || !URL.canParse(`http://${text}`)) return text
  const { hostname } = new URL(`http://${text}`)
  if (isLoopback(hostname)) return `http://${text}`
  // A single word is rather a mistake.
  return hostname.includes('.') ? `https://${text}` : text
}

/** @throws UsageError for plain http to another machine, unless allowed: the key would be sent unencrypted. */
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
