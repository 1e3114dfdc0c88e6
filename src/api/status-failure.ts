import { STATUS_CODES } from 'node:http'
import { StatusError, withHint } from '../errors.ts'
import { serviceMessage } from '../stream/service-message.ts'

const addressHint = 'check the base address: syn config get base-url'

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
export function adviseOnAddress(error: unknown): unknown {
  return isAbsent(error) ? withHint(error, addressHint) : error
}

/** Whether there is no such operation at the address. */
export function isAbsent(error: unknown): error is StatusError {
  return error instanceof StatusError && (error.status === 404 || error.status === 405)
}

function hintFor(status: number, body: string, said: string): string | undefined {
  if (status === 401 || status === 403) return 'check the key: syn login stores another one'
  if (status === 402) return 'the account has no credit left'
  if (status === 404 && isElsewhere(body, said)) return addressHint
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
