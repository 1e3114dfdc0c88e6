import { NetworkError, SynError } from '../errors.ts'

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
