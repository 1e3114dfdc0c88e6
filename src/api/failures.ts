/** Requests that failed, in words, with advice for those that a person can do something about. */

import { STATUS_CODES } from 'node:http'
import { NetworkError, StatusError, SynError, withHint } from '../errors.ts'
import { serviceMessage } from '../stream/service-message.ts'

/** A proxy answered a CONNECT with another status than 200. */
export class ProxyRefusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the proxy answered ${status}`)
    this.status = status
  }
}

/** Named as undici names its own. */
export class ConnectTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
}

interface Cause {
  readonly words: string
  readonly hint?: string
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean
}

const checkAddress = 'check the base address: syn config get base-url'
const checkProxy = 'check the proxy: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY'

const causes: Record<string, Cause> = {
  ENOTFOUND: { words: 'no such host', hint: checkAddress, retryable: false },
  EAI_AGAIN: { words: 'its name could not be looked up', hint: 'is this machine online?', retryable: true },
  ECONNREFUSED: { words: 'connection refused', hint: checkAddress, retryable: true },
  ECONNRESET: { words: 'connection reset', retryable: true },
  EPIPE: { words: 'connection reset', retryable: true },
  EHOSTUNREACH: { words: 'host unreachable', retryable: true },
  ENETUNREACH: { words: 'network unreachable', hint: 'is this machine online?', retryable: true },
  ETIMEDOUT: { words: 'connection timed out', retryable: false },
  UND_ERR_CONNECT_TIMEOUT: { words: 'no connection within 10 s', hint: checkAddress, retryable: false },
  UND_ERR_SOCKET: { words: 'connection closed', retryable: true },
  Z_BUF_ERROR: { words: 'the reply broke off', retryable: true },
  Z_DATA_ERROR: { words: 'the reply could not be decompressed', retryable: false },
}

/**
 * Puts what undici, a socket or a decompressor reports into words. Errors that have words already pass.
 * @param proxy Address of the proxy on the way, if there is one.
 */
export function connectionFailure(error: unknown, url: URL, proxy: URL | undefined): Error {
  if (error instanceof SynError) return error
  const { code = '', message, name } = error as NodeJS.ErrnoException
  const cause = causes[code] ?? tlsCause(code) ?? protocolCause(name) ?? tunnelCause(error)
  const words = cause?.words ?? (message || code || 'unknown failure')
  // The host alone: a proxy's address may hold a password.
  const way = proxy === undefined ? '' : `, by way of the proxy ${proxy.host}`
  const hint = proxy !== undefined && cause?.hint === checkAddress ? checkProxy : cause?.hint
  return new NetworkError(`${url.origin}${way}: ${words}`, { hint, cause: error, retryable: cause?.retryable ?? true })
}

function tlsCause(code: string): Cause | undefined {
  if (code.startsWith('ERR_SSL')) return { words: `no TLS connection (${code})`, hint: checkAddress, retryable: false }
  if (!/CERT|SIGNATURE|^ERR_TLS/.test(code)) return undefined
  const hint = 'NODE_EXTRA_CA_CERTS names a file with further certificates to trust'
  return { words: `its TLS certificate was refused (${code})`, hint, retryable: false }
}

function protocolCause(name: string): Cause | undefined {
  if (name !== 'HTTPParserError') return undefined
  return { words: 'its reply is not HTTP', hint: checkAddress, retryable: false }
}

function tunnelCause(error: unknown): Cause | undefined {
  if (!(error instanceof ProxyRefusal)) return undefined
  return { words: error.message, hint: checkProxy, retryable: error.status >= 500 }
}

/** Puts a reply with a status other than 2xx into words, with advice for those that a person can do something about. */
export function statusFailure(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  now: number,
): StatusError {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const said = serviceMessage(body)
  return new StatusError(said === '' ? `the service answered ${title}` : `${said} (${title})`, {
    status,
    retryAfter: retryAfter(headers['retry-after'], now),
    hint: hintFor(status, body, said),
    isRouteUnknown: status === 404 && isElsewhere(body, said),
  })
}

/** Of a request that names no model: what is not found there is the service itself. */
export function withBaseUrlHint(error: unknown): unknown {
  return isMissingEndpoint(error) ? withHint(error, checkAddress) : error
}

/** Whether there is no such operation at the address. */
export function isMissingEndpoint(error: unknown): error is StatusError {
  return error instanceof StatusError && (error.status === 404 || error.status === 405)
}

function hintFor(status: number, body: string, said: string): string | undefined {
  if (status === 401 || status === 403) return 'check the key: syn login stores another one'
  if (status === 402) return 'the account has no credit left'
  if (status === 404 && isElsewhere(body, said)) return checkAddress
  if (status === 404) return 'the model may have been rotated out; an alias such as syn:large:text stays current'
  if (status === 413) return 'the request is larger than the service takes'
  return undefined
}

/** An unknown route, or a web server where the service was expected. */
function isElsewhere(body: string, said: string): boolean {
  return said.includes('API route not found') || body.trimStart().startsWith('<')
}

/** @returns milliseconds from a `Retry-After` of seconds or an HTTP date. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
