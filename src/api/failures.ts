/** Turns failed requests into errors for the user, with a hint if the user can do something. */

import { largestOf } from '../io/arrays.ts'
import { STATUS_CODES } from 'node:http'
import { checkBaseUrl, NetworkError, type ServiceFailure, StatusError, SynError, TimeoutError } from '../errors.ts'
import type { JsonObject } from '../io/json.ts'
import { serviceMessage } from '../stream/service-message.ts'
import { WebPageError } from '../stream/reply.ts'
import { type Operation, operations } from './operations.ts'

/** A proxy replied to CONNECT with a status other than 200. */
export class ProxyStatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the proxy returned ${statusText(status)}`)
    this.status = status
  }
}

/** Has the code of undici's own timeout error. */
export class ConnectTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
}

interface Cause {
  readonly reason: string
  readonly hint?: string
  /** Whether a retry may succeed. */
  readonly retryable: boolean
  readonly isTimeout?: boolean
}

const checkNetwork = 'check the network connection'
const checkProxy = 'check the proxy: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY'

const truncated: Cause = { reason: 'the reply was truncated', retryable: true }

const causes: Record<string, Cause> = {
  ENOTFOUND: { reason: 'could not resolve host', hint: checkBaseUrl, retryable: false },
  EAI_AGAIN: { reason: 'could not resolve host', hint: checkNetwork, retryable: true },
  ECONNREFUSED: { reason: 'connection refused', hint: checkBaseUrl, retryable: true },
  ECONNABORTED: { reason: 'connection reset', retryable: true },
  ECONNRESET: { reason: 'connection reset', retryable: true },
  EPIPE: { reason: 'connection reset', retryable: true },
  EHOSTUNREACH: { reason: 'host unreachable', retryable: true },
  EHOSTDOWN: { reason: 'host unreachable', retryable: true },
  ENETDOWN: { reason: 'network unreachable', hint: checkNetwork, retryable: true },
  ENETUNREACH: { reason: 'network unreachable', hint: checkNetwork, retryable: true },
  ETIMEDOUT: { reason: 'connection timed out', retryable: false, isTimeout: true },
  UND_ERR_CONNECT_TIMEOUT: {
    reason: 'connection timed out after 10 s',
    hint: checkBaseUrl,
    retryable: false,
    isTimeout: true,
  },
  UND_ERR_SOCKET: { reason: 'connection closed', retryable: true },
  UND_ERR_HEADERS_OVERFLOW: { reason: 'the headers of the reply are too large', retryable: false },
  Z_BUF_ERROR: truncated,
}

/**
 * Turns an error of undici, a socket or a decompressor into a NetworkError. A SynError is returned unchanged.
 * @param proxy The URL of the proxy, if there is one.
 * @param hasHeaders Whether the headers of the reply had arrived.
 */
export function connectionFailure(error: unknown, url: URL, proxy: URL | undefined, hasHeaders: boolean): Error {
  if (error instanceof SynError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const cause =
    protocolCause(error as NodeJS.ErrnoException, hasHeaders) ?? causes[code] ?? tlsCause(code) ?? tunnelCause(error)
  const reason = cause?.reason ?? (message || code || 'unknown error')
  // Only the host: a proxy's URL may contain a password.
  const route = proxy === undefined ? '' : ` through the proxy ${proxy.host}`
  const hint = proxy !== undefined && cause?.hint === checkBaseUrl ? checkProxy : cause?.hint
  const Failure = cause?.isTimeout ? TimeoutError : NetworkError
  return new Failure(`${url.origin}${route}: ${reason}`, {
    hint,
    cause: error,
    // The service may have handled the request.
    retryable: cause?.retryable ?? false,
  })
}

/** Whether an established connection was lost. */
export function isLostConnection(error: unknown): boolean {
  return ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function tlsCause(code: string): Cause | undefined {
  if (code.startsWith('ERR_SSL'))
    return { reason: `TLS handshake failed (${code})`, hint: checkBaseUrl, retryable: false }
  if (!/CERT|SIGNATURE|^ERR_TLS/.test(code)) return undefined
  const hint = 'to trust another certificate, set NODE_EXTRA_CA_CERTS to its PEM file'
  return { reason: `TLS certificate rejected (${code})`, hint, retryable: false }
}

/**
 * undici's codes do not tell these from a lost connection. `HPE_…` are the codes of Node's HTTP parser, which a tunnel uses,
 * and `Z_…` and `ERR_…` those of decompressors.
 */
function protocolCause({ code = '', message, name }: NodeJS.ErrnoException, hasHeaders: boolean): Cause | undefined {
  if (message === 'bad upgrade') return { reason: 'the service switched to another protocol (101)', retryable: false }
  const isLengthWrong = code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  if (isLengthWrong && hasHeaders) return truncated
  if (isLengthWrong || name === 'HTTPParserError' || message === 'bad response' || /^HPE_|^ERR_ASSERTION/.test(code))
    return { reason: 'the reply is not HTTP', hint: checkBaseUrl, retryable: false }
  if (/^Z_DATA|^Z_NEED|^ERR__ERROR_FORMAT/.test(code))
    return { reason: 'the reply could not be decompressed', retryable: false }
  return undefined
}

function tunnelCause(error: unknown): Cause | undefined {
  if (!(error instanceof ProxyStatusError)) return undefined
  return { reason: error.message, hint: checkProxy, retryable: error.status >= 500 }
}

/** A reply with status 429. */
export class RateLimitError extends StatusError {
  /** The quota record in a header of the reply. */
  readonly quota: JsonObject | undefined

  constructor(message: string, failure: ServiceFailure, quota: JsonObject | undefined) {
    super(message, failure)
    this.quota = quota
  }
}

/** A reply with a status other than 2xx. */
interface FailedReply {
  readonly operation: Operation
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** The quota record in a header. */
  readonly quota: JsonObject | undefined
}

/** Turns a reply with a status other than 2xx into an error. */
export function statusFailure({ operation, url, status, headers, body, now, quota }: FailedReply): StatusError {
  const title = statusText(status)
  const message = serviceMessage(body)
  const text = message === '' ? `the service returned ${title}` : `${message} (${title})`
  const isOverflow = isContextOverflow(status, body, message)
  const failure = {
    status,
    endpoint: `${operation.method} ${url}`,
    retryAfter: retryAfter(headers, now),
    hint: isOverflow ? overflowHint(operation) : hintFor(status),
  }
  if (status === 429) return new RateLimitError(text, failure, quota)
  const isMissing = status === 405 || (status === 404 && (!operation.hasModel || isAboutRoute(body, message)))
  return isMissing ? missingEndpoint(new StatusError(text, failure)) : new StatusError(text, failure)
}

/** The error for a reply that means, despite its words, that the service does not have the endpoint. */
export function missingEndpoint({ message, status, endpoint }: StatusError): StatusError {
  // The words of `statusFailure` for a reply without a message.
  const reply = message.replace(/^the service returned /, '')
  return new StatusError(`the service has no endpoint ${endpoint}: ${reply}`, {
    status,
    endpoint,
    hint: checkBaseUrl,
    isMissingEndpoint: true,
  })
}

/** Whether the service does not have the endpoint. */
export function isMissingEndpoint(error: unknown): error is StatusError {
  return error instanceof StatusError && error.isMissingEndpoint
}

/** Whether the service refused the key, or a request without one. */
export function isRefused(error: unknown): error is StatusError {
  return error instanceof StatusError && (error.status === 401 || error.status === 403)
}

/**
 * Whether the endpoint may be at another URL. Gateways answer 403 for a path that they do not know, and some servers send
 * their web page.
 */
export function mayBeAbsent(error: unknown): boolean {
  return isMissingEndpoint(error) || isRefused(error) || error instanceof WebPageError
}

/** Of the failures at an operation's URLs, the one that says most: a refusal, then a web page. */
export function tellingFailure(failures: readonly unknown[], urls: readonly string[]): unknown {
  const last = failures.at(-1)
  const telling = failures.find(isRefused) ?? failures.find((one) => one instanceof WebPageError) ?? last
  return isMissingEndpoint(telling) ? alsoTried(telling, urls) : telling
}

/** The error for a missing endpoint, with the other URLs that were tried. */
function alsoTried({ message, endpoint, ...error }: StatusError, urls: readonly string[]): StatusError {
  const others = urls.filter((url) => !endpoint.endsWith(` ${url}`)).map((url) => new URL(url).pathname)
  const text =
    others.length === 0 ? message : message.replace(endpoint, () => `${endpoint}, nor at ${others.join(', ')}`)
  return new StatusError(text, { ...error, endpoint })
}

function hintFor(status: number): string | undefined {
  if (status === 401 || status === 403) return 'check the API key, or use syn login to store another'
  if (status === 402) return 'add credit to the account'
  if (status === 404) return 'the model may have been rotated out; use an alias such as syn:large:text'
  if (status === 413) return 'the request is too large: send less text or smaller images'
  return undefined
}

/** The wordings of services of this kind, and the codes of OpenAI and llama.cpp. */
const overflowWords =
  /context[ _-]?(length|limit|size|window)|maximum context|prompt is too long|input is too long|too many (input )?tokens|maximum number of tokens/i
const overflowCode = /"(context_length_exceeded|exceed_context_size_error)"/

function isContextOverflow(status: number, body: string, message: string): boolean {
  return [400, 413, 422].includes(status) && (overflowWords.test(message) || overflowCode.test(body))
}

/** The words for an unknown path: of the service, llama.cpp, Go, Express and OpenAI. */
const routeWords =
  /API route not found|^File Not Found$|^404 page not found$|^Cannot (GET|POST) \/|^Invalid URL \((GET|POST) \//

/** FastAPI's whole reply. The same words in another shape may be about a model. */
const fastApiNotFound = /^\s*\{\s*"detail"\s*:\s*"Not Found"\s*\}\s*$/

export const countTokensHint = 'use syn count-tokens to count the tokens of the prompt'

function overflowHint(operation: Operation): string | undefined {
  const isCount = operation.path === operations.countTokens.path
  return isCount ? undefined : countTokensHint
}

/** Whether a 404 is about the path. A web page comes from another server, or from a proxy. */
function isAboutRoute(body: string, message: string): boolean {
  return body.trimStart().startsWith('<') || routeWords.test(message) || fastApiNotFound.test(body)
}

/** `401 Unauthorized` */
function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}

/**
 * How long the service asks to wait: `Retry-After` is seconds or an HTTP date (RFC 9110, section 10.2.3). Services for OpenAI's
 * clients send `retry-after-ms`, which is more exact.
 * @returns milliseconds; `undefined` if there is no such header, or for anything else in it.
 */
function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = longest(headers['retry-after-ms'])
  if (exact !== undefined) return exact
  const header = headers['retry-after']?.trim() ?? ''
  const seconds = longest(header)
  if (seconds !== undefined) return seconds * 1000
  // `Date.parse` accepts more, such as -5.
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d|^\d{4}-\d\d-\d\dT/.test(header)) return undefined
  // HTTP dates are in GMT. The oldest of their formats does not say so.
  const date = Date.parse(/\d\d:\d\d:\d\d( \d{4})?$/.test(header) ? `${header}Z` : header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** The largest of the numbers in a header that may have been sent twice. */
function longest(header = ''): number | undefined {
  const parts = header.split(',').map((part) => part.trim())
  return parts.every((part) => /^\d+(\.\d+)?$/.test(part)) ? largestOf(parts.map(Number)) : undefined
}
