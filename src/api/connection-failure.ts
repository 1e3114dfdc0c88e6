import { NetworkError, SynError } from '../errors.ts'

interface Cause {
  readonly words: string
  readonly hint?: string
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean
}

const checkAddress = 'check the base address: syn config get base-url'

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
  UND_ERR_PRX_TLS: { words: 'the proxy could not be reached', retryable: true },
  Z_BUF_ERROR: { words: 'the reply broke off', retryable: true },
  Z_DATA_ERROR: { words: 'the reply could not be decompressed', retryable: false },
}

/** Puts what undici, a socket or a decompressor reports into words. Errors that have words already pass. */
export function connectionFailure(error: unknown, url: URL): Error {
  if (error instanceof SynError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const cause = causes[code] ?? certificateCause(code) ?? protocolCause(code)
  const words = cause?.words ?? (message || code || 'unknown failure')
  return new NetworkError(`${url.origin}: ${words}`, {
    hint: cause?.hint,
    cause: error,
    retryable: cause?.retryable ?? true,
  })
}

function certificateCause(code: string): Cause | undefined {
  if (!/CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code)) return undefined
  const hint = 'NODE_EXTRA_CA_CERTS names a file with further certificates to trust'
  return { words: `its TLS certificate was refused (${code})`, hint, retryable: false }
}

function protocolCause(code: string): Cause | undefined {
  if (!code.startsWith('HPE_')) return undefined
  return { words: `its reply is not HTTP (${code})`, hint: checkAddress, retryable: false }
}
