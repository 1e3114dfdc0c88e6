/** Turns failed requests into errors for the user, with a hint if the user can do something. */

import { largestOf } from '../io/arrays.ts'
import { STATUS_CODES } from 'node:http'
import {
  advice,
  checkBaseUrl,
  exitCodes,
  type Hint,
  memoryFailure,
  NetworkError,
  ReportedError,
  type ServiceFailure,
  reasonOf,
  StatusError,
  syn,
  SynError,
  TimeoutError,
} from '../errors.ts'
import type { JsonObject } from '../io/json/json.ts'
import { second } from '../io/time/time.ts'
import { reportedStatus, saysUsedUp } from '../stream/reported-error.ts'
import { isWebPage, serviceMessage } from '../stream/service-message.ts'
import { WebPageError } from '../stream/body-sniffing.ts'
import { type FailedReply, isAboutEndpoint, notFoundCause } from './not-found.ts'
import { type Operation, operations, requestLimit } from './operations.ts'
import { minNamedWait } from './retry-policy.ts'

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
  readonly hint?: Hint
  readonly retryable?: boolean
  readonly isTimeout?: boolean
}

const checkNetwork = 'check the network connection'
const checkProxy = 'check the proxy: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY'

const checkClock = 'check the clock of this machine; if it is right, the certificate must be renewed on the server'

const onlyHttp2: Cause = { reason: 'the server speaks only HTTP/2, and syn only HTTP/1.1' }

const truncated: Cause = { reason: 'the reply was truncated', retryable: true }

const causes: Record<string, Cause> = {
  ENOTFOUND: { reason: 'could not resolve host', hint: checkBaseUrl },
  EAI_AGAIN: { reason: 'could not resolve host', hint: checkNetwork, retryable: true },
  ECONNREFUSED: { reason: 'connection refused', hint: checkBaseUrl, retryable: true },
  ECONNABORTED: { reason: 'connection reset', retryable: true },
  ECONNRESET: { reason: 'connection reset', retryable: true },
  EPIPE: { reason: 'connection reset', retryable: true },
  EHOSTUNREACH: { reason: 'host unreachable', retryable: true },
  EHOSTDOWN: { reason: 'host unreachable', retryable: true },
  ENETDOWN: { reason: 'network unreachable', hint: checkNetwork, retryable: true },
  ENETUNREACH: { reason: 'network unreachable', hint: checkNetwork, retryable: true },
  ETIMEDOUT: { reason: 'connection timed out', isTimeout: true },
  UND_ERR_CONNECT_TIMEOUT: { reason: 'connection timed out after 10 s', hint: checkBaseUrl, isTimeout: true },
  UND_ERR_SOCKET: { reason: 'connection closed', retryable: true },
  UND_ERR_HEADERS_OVERFLOW: { reason: 'the headers of the reply are too large' },
  Z_BUF_ERROR: truncated,
  CERT_HAS_EXPIRED: { reason: 'the TLS certificate has expired', hint: checkClock },
  CERT_NOT_YET_VALID: { reason: 'the TLS certificate is not valid yet', hint: checkClock },
  ERR_SSL_WRONG_VERSION_NUMBER: { reason: 'the server does not speak https on this port', hint: checkBaseUrl },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'the TLS certificate is for another host', hint: checkBaseUrl },
}

/**
 * Turns an error of undici, a socket or a decompressor into a NetworkError. A SynError is returned unchanged.
 * @param proxy The URL of the proxy, if there is one.
 * @param hasHeaders Whether the headers of the reply had arrived.
 */
export function connectionFailure(error: unknown, url: URL, proxy: URL | undefined, hasHeaders: boolean): Error {
  if (error instanceof SynError) return error
  const memory = memoryFailure(error)
  if (memory) return memory
  const { code = '', message } = error as NodeJS.ErrnoException
  const cause =
    error instanceof ProxyStatusError
      ? { reason: message, hint: checkProxy, retryable: error.status >= 500 }
      : (protocolCause(error as ParserError, hasHeaders) ?? causes[code] ?? tlsCause(code))
  const reason = cause?.reason ?? (reasonOf(error) || code || 'unknown error')
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
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(code))
    return { reason: 'the server wants a client certificate, which syn cannot send' }
  if (code.includes('ALERT_HANDSHAKE_FAILURE')) {
    const hint = 'it may want a client certificate, which syn cannot send'
    return { reason: 'the server refused the TLS handshake', hint }
  }
  if (code.includes('NO_APPLICATION_PROTOCOL')) return onlyHttp2
  if (code.startsWith('ERR_SSL')) return { reason: `TLS handshake failed (${code})`, hint: checkBaseUrl }
  if (!/CERT|SIGNATURE|^ERR_TLS/.test(code)) return undefined
  const hint = 'to trust another certificate, set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to its PEM file'
  return { reason: `TLS certificate rejected (${code})`, hint }
}

/** `data` is what undici's parser did not understand. */
type ParserError = NodeJS.ErrnoException & { readonly data?: string | Uint8Array }

/**
 * undici's codes do not tell these from a lost connection. `HPE_…` are the codes of Node's HTTP parser, which a tunnel uses,
 * and `Z_…` and `ERR_…` those of decompressors.
 */
function protocolCause({ code = '', message, name, data }: ParserError, hasHeaders: boolean): Cause | undefined {
  if (message === 'bad upgrade') return { reason: 'the service switched to another protocol (101)' }
  const isLengthWrong = code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  if (isLengthWrong && hasHeaders) return truncated
  // The frame of settings with which a server starts (RFC 9113, section 3.4).
  if (data !== undefined && /^\0\0[^]\x04\0{5}/.test(Buffer.from(data).toString('latin1'))) return onlyHttp2
  if (isLengthWrong || name === 'HTTPParserError' || message === 'bad response' || /^HPE_|^ERR_ASSERTION/.test(code))
    return { reason: 'the reply is not HTTP', hint: checkBaseUrl }
  if (/^Z_DATA|^Z_NEED|^ERR__ERROR_FORMAT/.test(code)) return { reason: 'the reply could not be decompressed' }
  return undefined
}

/** A reply with status 429. */
export class RateLimitError extends StatusError {
  /** The quota record in a header of the reply, or the one that was read because of it. */
  readonly quota: JsonObject | undefined

  constructor(message: string, failure: ServiceFailure, quota: JsonObject | undefined) {
    super(message, failure)
    this.quota = quota
  }
}

/** Turns a reply with a status other than 2xx into an error. */
export function statusFailure(reply: FailedReply): StatusError {
  const { operation, url, status, body, quota, isReported = false } = reply
  const title = statusText(status)
  const message = serviceMessage(body)
  const saysMore = message !== '' && message !== STATUS_CODES[status]
  const words = isReported ? message : saysMore ? `${message} (${title})` : undefined
  const text = words ?? `the service returned ${title}`
  const isPage = isWebPage(body)
  const isOverflow = isContextOverflow(status, body, message)
  const isCountable = ![operations.countTokens.path, operations.embeddings.path].some((path) => path === operation.path)
  const overflowHint: Hint | undefined = isCountable ? { code: 'count tokens' } : undefined
  const largeRequest = largeRequestHint(reply)
  const isUsedUp = status === 402 || saysUsedUp(body, message)
  const failure = {
    status,
    endpoint: `${operation.method} ${url}`,
    reply: words ?? title,
    retryAfter: retryAfter(reply),
    hint: isOverflow ? overflowHint : (largeRequest ?? hintFor(operation, isUsedUp ? 402 : status, message, isPage)),
    // Some services say nothing at all.
    isTooLong: isOverflow || largeRequest !== undefined || status === 413 || (status === 400 && body.trim() === ''),
    missing: notFoundCause(reply, message),
    isWebPage: isPage,
    isUsedUp,
    isPermanent: isUsedUp || (status === 500 && isOverflow),
  }
  if (status === 429) return new RateLimitError(text, failure, quota)
  const error = new StatusError(text, failure)
  return failure.missing === 'endpoint' ? missingEndpoint(error) : error
}

/** An error in a reply with status 200 becomes that of the status that it names. Any other is returned unchanged. */
export function reportedFailure(
  error: unknown,
  request: Pick<FailedReply, 'operation' | 'url' | 'model' | 'now'>,
): unknown {
  if (!(error instanceof ReportedError)) return error
  const { body } = error
  // LM Studio answers so to a path that it does not know.
  const status = reportedStatus(body) ?? (isAboutEndpoint(error.message) ? 404 : undefined)
  if (status === undefined) return error
  return statusFailure({ ...request, status, body, headers: {}, quota: undefined, isReported: true })
}

/**
 * The error for a reply that means, despite its words, that the service does not have the endpoint.
 * @param others The paths of other URLs that were tried.
 */
export function missingEndpoint({ reply, status, endpoint }: StatusError, others: readonly string[] = []): StatusError {
  const nor = others.length === 0 ? '' : `, nor at ${others.join(', ')}`
  return new StatusError(`the service has no endpoint ${endpoint}${nor}: ${reply}`, {
    status,
    endpoint,
    reply,
    hint: checkBaseUrl,
    missing: 'endpoint',
  })
}

/** Whether the service does not have the endpoint. */
export function isMissingEndpoint(error: unknown): error is StatusError {
  return error instanceof StatusError && error.missing === 'endpoint'
}

/** Whether the service refused the key, or a request without one. The web page of a 403 is another server's. */
export function isRefused(error: unknown): error is StatusError {
  return error instanceof StatusError && error.code === exitCodes.unauthorized
}

/** Whether a web page came in place of an answer or a refusal: from a server in front of the service, or from another one. */
function isPageError(error: unknown): error is StatusError | WebPageError {
  return error instanceof WebPageError || (error instanceof StatusError && error.status === 403 && error.isWebPage)
}

/**
 * Whether the endpoint may be at another URL. Gateways answer 403 for a path that they do not know, and some servers send
 * their web page.
 */
export function mayBeAbsent(error: unknown): boolean {
  return isMissingEndpoint(error) || isRefused(error) || isPageError(error)
}

/** The failure that says most of those at an operation's URLs: a refusal, then a web page. */
export function tellingFailure(failures: readonly unknown[], urls: readonly string[]): unknown {
  const last = failures.at(-1)
  const telling = failures.find(isRefused) ?? failures.find(isPageError) ?? last
  if (!isMissingEndpoint(telling)) return telling
  const others = urls.filter((url) => !telling.endpoint.endsWith(` ${url}`))
  return missingEndpoint(
    telling,
    others.map((url) => new URL(url).pathname),
  )
}

function hintFor(operation: Operation, status: number, message: string, isPage: boolean): Hint | undefined {
  if (status === 403 && isPage) return 'the web page is of a server in front of the service, such as a firewall'
  if (status === 403 && otherReasons.test(message)) return undefined
  if (status === 401 || status === 403) return advice`check the API key, or use ${syn('login')} to store another`
  if (status === 402) return 'add credit to the account'
  if (status !== 413) return undefined
  const less = operation === operations.embeddings ? 'fewer texts at a time with --batch-size' : 'smaller images'
  return `the request is too large: send less text, or ${less}`
}

/** The service cuts a request that is too large, and then finds invalid JSON. */
function largeRequestHint({ status, sent = '' }: FailedReply): Hint | undefined {
  const size = status === 400 ? Buffer.byteLength(sent) : 0
  if (size <= requestLimit) return undefined
  // In each API dialect, the data of an image is in a string.
  const images = sent.split('"').filter((text) => /^(data:image[^,]*,)?[\w+/]{1000}/.test(text))
  return { code: 'large request', size, limit: requestLimit, isImages: images.join('').length > sent.length / 2 }
}

/** The words of a 403 that no other key would change: of OpenRouter, OpenAI, and of Cloudflare and Envoy before a service. */
const otherReasons = /moderation|flagged|\b(country|region|territory|location)\b|^error code: \d+|^RBAC:/i

/** The wordings of services of this kind, and the codes of OpenAI and llama.cpp. */
const overflowWords =
  /context[ _-]?(length|limit|size|window)|maximum context|prompt is too long|input is too long|too large to process|too many (input )?tokens|maximum number of tokens/i
const overflowCode = /"(context_length_exceeded|exceed_context_size_error)"/

function isContextOverflow(status: number, body: string, message: string): boolean {
  // 500: so llama.cpp and Ollama answer to a text that is too long to embed.
  return [400, 413, 422, 500].includes(status) && (overflowWords.test(message) || overflowCode.test(body))
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}

/**
 * How long the service asks to wait: `Retry-After` is seconds or an HTTP date (RFC 9110, section 10.2.3), of careless gateways
 * the time since 1970. Services for OpenAI's clients send `retry-after-ms`, which is more exact. Without these, a 429 may
 * say when its limit is reset, and Google's services in the body.
 * @returns milliseconds, at least `minNamedWait`; `undefined` for a shorter wait, and for anything else.
 */
function retryAfter({ status, headers, body, now }: FailedReply): number | undefined {
  const waits = [waitIn(headers['retry-after-ms'], 1, now), waitIn(headers['retry-after'], second, now)]
  if (status === 429) {
    const resets = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-reset'))
    const isReached = (name: string): boolean => Number(headers[name.replace('reset', 'remaining')] ?? NaN) === 0
    const reached = resets.filter(isReached)
    const named = (reached.length > 0 ? reached : resets).flatMap((name) => waitIn(headers[name], second, now) ?? [])
    // Without a limit that is known to be reached, the one that is reset first may be it.
    waits.push(named.toSorted((one, other) => one - other).at(reached.length > 0 ? -1 : 0))
    waits.push(waitIn(/"retryDelay"\s*:\s*"([^"]+)"/.exec(body)?.[1], second, now))
  }
  return waits.find((wait) => wait !== undefined && wait >= minNamedWait)
}

/** Shorter waits than these numbers are seconds; the others, points in time: in 2001, in seconds and in milliseconds. */
const [unixSeconds, unixMilliseconds] = [1e9, 1e12]

/** @param unit Of a number, in milliseconds. */
function waitIn(header: string | undefined, unit: number, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const number = longest(text)
  if (number === undefined) return durationOf(text) ?? untilDate(text, now)
  if (number >= unixMilliseconds) return number - now
  return number >= unixSeconds ? number * second - now : number * unit
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: 60 * second,
  h: 3600 * second,
  d: 86_400 * second,
}

/** `1m30s`, `3.5s`, `820ms` */
function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined
  const parts = text.matchAll(/([\d.]+)(ms|[smhd])/g)
  return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0)
}

function untilDate(header: string, now: number): number | undefined {
  // `Date.parse` accepts more, such as -5.
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d|^\d{4}-\d\d-\d\dT/.test(header)) return undefined
  // HTTP dates are in GMT. The oldest of their formats does not say so.
  const date = Date.parse(/\d\d:\d\d:\d\d( \d{4})?$/.test(header) ? `${header}Z` : header)
  return Number.isNaN(date) ? undefined : date - now
}

/** The largest of the numbers in a header that may have been sent twice. */
function longest(header = ''): number | undefined {
  const parts = header.split(',').map((part) => part.trim())
  return parts.every((part) => /^\d+(\.\d+)?$/.test(part)) ? largestOf(parts.map(Number)) : undefined
}
